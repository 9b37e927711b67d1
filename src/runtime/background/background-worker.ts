import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { OpenProject } from "../open-project.ts";

/** What a background worker may use. */
export interface BackgroundParts extends OpenProject {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Starts work that no caller waits for. A worker logs what fails and never throws. It keeps nothing in memory that a
 * crash would lose: at its start it reads from the store what is left to do. Disposing it waits for what is queued.
 */
export type StartWorker = (parts: BackgroundParts) => AsyncDisposable;
