import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { OpenProject } from "../open-project.ts";

/** What a background worker may use. */
export interface BackgroundParts extends OpenProject {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Starts work that no caller waits for. A worker logs its failures and never throws. A crash loses no work: at its
 * start a worker reads from the store what is left to do. Disposing it waits for the tasks in its queue.
 */
export type StartWorker = (parts: BackgroundParts) => AsyncDisposable;
