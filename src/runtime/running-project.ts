import type { RecordedEvent } from "../domain/event.ts";
import type { EventHub } from "../kernel/event-hub.ts";
import type { System } from "../kernel/system.ts";
import type { ProductTypes } from "../operations/core/define.ts";
import type { Definitions } from "../ports/definitions.ts";
import type { Store } from "../ports/store/store.ts";
import type { ProjectRuntime } from "./project-runtime.ts";
import type { WorkflowLifecycle } from "./workflows/workflow-lifecycle.ts";

/** A project whose loops run, as whoever serves it to others sees it. */
export interface RunningProject {
  /** Real path of the project folder: what a project is known by. */
  readonly dir: string;
  readonly definitions: Definitions;
  readonly system: System<ProductTypes>;
  readonly events: EventHub<RecordedEvent>;
  readonly runtime: ProjectRuntime;
  readonly workflows: WorkflowLifecycle;
  readonly store: Store;
  readonly lostCommits: number;
}
