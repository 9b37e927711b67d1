import type { RecordedEvent } from "../domain/event.ts";
import type { EventHub } from "../kernel/event-hub.ts";
import type { System } from "../kernel/system.ts";
import type { ProductTypes } from "../operations/core/define.ts";
import type { Definitions } from "../ports/definitions.ts";
import type { StoreReads } from "../ports/store/store.ts";
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
  /** Reads in the store that holds the space; without one, in the project's own. */
  readIn<T>(space: string | undefined, work: (store: StoreReads) => Promise<T>): Promise<T>;
  /** One space of every store in use; undefined stands for the project's own store. */
  spacesOfStores(): readonly (string | undefined)[];
  /** Says that nothing will come of a closed space any more. Of those in memory only the last few are kept. */
  retire(space: string): Promise<void>;
  readonly lostCommits: number;
}
