import type { Client } from "../../client/client.ts";
import type { RequestResult, RunEvent, WorkRequest } from "../../contract/service/work-request.ts";
import { systemClock } from "../../kernel/clock.ts";
import { openRunDisplay } from "./run-display.ts";
import type { Terminal } from "../output/terminal.ts";
import { answerInPlace } from "./answer-in-place.ts";
import { trackChangedFiles } from "./changed-files.ts";
import { summarizeWork } from "./summarize-work.ts";
import { watchRequest } from "./watch-request.ts";

interface WorkLook {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Nothing besides what is said and done: no status, no questions, no summary. */
  readonly quiet: boolean;
}

/** A request that a person watches. */
export interface WatchedWork {
  watch(request: WorkRequest): ReturnType<typeof watchRequest>;
  /** Prints what came out of it, for a person at a terminal. */
  summarize(result: RequestResult): Promise<void>;
}

/** Whether a person sits at the terminal, and wants more than the words. */
export function isWatchedByPerson(terminal: Terminal, { json, quiet }: Pick<WorkLook, "json" | "quiet">): boolean {
  return !json && !quiet && terminal.columns !== undefined;
}

/** Watches work requests: on a terminal with decisions in place and a summary at the end, elsewhere with neither. */
export function watchWork(client: Client, terminal: Terminal, look: WorkLook, signal: AbortSignal): WatchedWork {
  const isPerson = isWatchedByPerson(terminal, look);
  const changes = trackChangedFiles();
  const startedAt = systemClock.now();
  const began = systemClock.monotonic();
  return {
    async watch(request) {
      using display = openRunDisplay(terminal, look);
      const show = (event: RunEvent): void => display.show(event);
      using answers = isPerson && terminal.interactive ? answerInPlace(client, terminal, display) : undefined;
      return await watchRequest(
        client,
        request,
        (event) => {
          changes.follow(event);
          (answers?.show ?? show)(event);
        },
        signal,
      );
    },
    async summarize(result) {
      if (!isPerson) return;
      const wallTimeMs = systemClock.monotonic() - began;
      terminal.note(`\n${await summarizeWork(client, result, { wallTimeMs, startedAt, files: changes.files })}`);
    },
  };
}
