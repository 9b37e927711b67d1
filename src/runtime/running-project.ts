import type { Clock } from "../kernel/clock.ts";
import type { EventHub } from "../kernel/event-hub.ts";
import type { Loops } from "./loop/loops.ts";
import type { OpenProject } from "./open-project.ts";
import type { LiveEvent } from "./runs/live-event.ts";
import type { LiveReplay } from "./runs/live-replay.ts";
import type { IdleWatch } from "./workflows/idle-watch.ts";
import type { WorkflowLifecycle } from "./workflows/workflow-lifecycle.ts";

/** A project whose loops run: deliveries are taken, schedules fire, workflows can be started. */
export interface RunningProject extends OpenProject {
  readonly runtime: {
    readonly clock: Clock;
    readonly loops: Loops;
    readonly live: EventHub<LiveEvent>;
    readonly replay: LiveReplay;
    readonly idle: IdleWatch;
  };
  readonly workflows: WorkflowLifecycle;
}
