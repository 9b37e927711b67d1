import type { Closers } from "../../kernel/disposal.ts";
import type { BackgroundParts, StartWorker } from "./background-worker.ts";
import { startConsolidation } from "./consolidation.ts";
import { startConversationRecorder } from "./conversation-recorder.ts";
import { startDecisionRecorder } from "./decision-recorder.ts";
import { startDefinitionWatcher } from "./definition-watcher.ts";
import { startMemoryMaintenance } from "./memory-maintenance.ts";
import { startRetention } from "./retention.ts";
import { startRuleRunner } from "./rule-runner.ts";
import { startScheduler } from "./scheduler.ts";
import { startSoulObserver } from "./soul-observer.ts";
import { startSummariser } from "./summariser.ts";
import { startWaitLog } from "./wait-log.ts";

type Workers = readonly (readonly [name: string, start: StartWorker])[];

/** Workers that update files, the memory index and souls from the store, and remove what is old. They run in every open project. */
export const UPKEEP: Workers = [
  ["decision recorder", startDecisionRecorder],
  ["conversation recorder", startConversationRecorder],
  ["memory maintenance", startMemoryMaintenance],
  ["summariser", startSummariser],
  ["consolidation", startConsolidation],
  ["soul observer", startSoulObserver],
  ["retention", startRetention],
];

/** Workers that create work, at a time or after an event, or watch it. They run only in projects whose loops run. */
export const DISPATCH: Workers = [
  ["wait log", startWaitLog],
  ["rule runner", startRuleRunner],
  ["scheduler", startScheduler],
  ["definition watcher", startDefinitionWatcher],
];

/** Starts workers in order. `closers` stops them in the reverse order. */
export function startBackground(workers: Workers, parts: BackgroundParts, closers: Closers): void {
  for (const [name, start] of workers) {
    const worker = start(parts);
    closers.add(name, () => worker[Symbol.asyncDispose]());
  }
}
