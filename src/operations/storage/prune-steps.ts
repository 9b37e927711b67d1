import type { PrunedView } from "../../contract/storage/stored-data.ts";
import type { PrunePosition, PruneStage } from "../../domain/workspace/prune-stage.ts";
import type { RunPosition } from "../../ports/store/retention.ts";
import type { Execute } from "../core/define.ts";
import { settleDeadLetter } from "../dead-letters/dead-letter.ts";

/** What one part removed, and where in its stage to go on; null when the stage is done. */
interface PrunedPart {
  readonly pruned: Partial<PrunedView>;
  readonly at: PrunePosition["at"] | null;
}

type PruneStep = (ctx: Execute, at: PrunePosition["at"], dryRun: boolean) => Promise<PrunedPart>;

/** Limits of one transaction: each is a few milliseconds of work. */
const RUNS = 50;
const RUN_BYTES = 1024 * 1024;
const EVENTS = 1_000;
const MESSAGES = 200;
const WORKSPACES = 20;
const DEAD_LETTERS = 100;
const KEYS = 1_000;

const MOST_EVENTS = 1_000_000;

export const NOTHING_PRUNED: PrunedView = {
  transcripts: { runs: 0, bytes: 0 },
  events: { count: 0, bytes: 0 },
  workspaces: { count: 0, messages: 0, bytes: 0 },
  deadLetters: { count: 0 },
};

const DONE: PrunedPart = { pruned: {}, at: null };

export const pruneSteps: Readonly<Record<PruneStage, PruneStep>> = {
  async "dead-letters"(ctx, [before], dryRun) {
    const { deadLettersMs } = ctx.services.definitions.settings().retention;
    if (deadLettersMs === null) return DONE;
    const filter = { until: ctx.now - deadLettersMs };
    if (dryRun) return { pruned: { deadLetters: { count: await ctx.store.deliveries.countDead(filter) } }, at: null };
    const page = before === undefined ? {} : { before: { id: String(before), createdAt: filter.until } };
    const found = await ctx.store.deliveries.dead({ ...filter, ...page, limit: DEAD_LETTERS });
    for (const { delivery } of found) await settleDeadLetter(ctx, delivery, "drop");
    const last = found.length < DEAD_LETTERS ? undefined : found.at(-1);
    return { pruned: { deadLetters: { count: found.length } }, at: last === undefined ? null : [last.delivery.id] };
  },

  async transcripts(ctx, [endedAt, id], dryRun) {
    const { transcriptsMs } = ctx.services.definitions.settings().retention;
    if (transcriptsMs === null) return DONE;
    const { retention } = ctx.store;
    const after: RunPosition | null = endedAt === undefined ? null : { endedAt: Number(endedAt), id: String(id) };
    const found = await retention.runsWithDetails({ endedBefore: ctx.now - transcriptsMs, after, limit: RUNS });
    const removed = { runs: 0, bytes: 0 };
    let at = after;
    for (const run of found) {
      // The next run of the conversation may continue from it.
      if (run.hasSuccessor) {
        for (const { number, bytes } of await retention.detailedSteps(run.id)) {
          // The rest of a large run is the beginning of the next part.
          if (!dryRun && removed.bytes > 0 && removed.bytes + bytes > RUN_BYTES)
            return { pruned: { transcripts: removed }, at: positionOf(at) };
          if (!dryRun) await retention.removeStepDetails(run.id, number);
          removed.bytes += bytes;
        }
        if (!dryRun) await retention.finishDetails(run.id, ctx.now);
        removed.runs += 1;
      }
      at = run;
    }
    return { pruned: { transcripts: removed }, at: found.length < RUNS ? null : positionOf(at) };
  },

  async events(ctx, [seq = 0], dryRun) {
    const { eventsMs } = ctx.services.definitions.settings().retention;
    if (eventsMs === null) return DONE;
    const { retention } = ctx.store;
    const surplus = (await retention.newestEvent()) - MOST_EVENTS;
    const found = await retention.oldEvents({ after: Number(seq), limit: EVENTS });
    const firstKept = found.findIndex((event) => event.at >= ctx.now - eventsMs && event.seq > surplus);
    const old = firstKept === -1 ? found : found.slice(0, firstKept);
    const last = old.at(-1);
    if (last === undefined) return DONE;
    if (!dryRun) await retention.removeEvents(last.seq);
    const bytes = old.reduce((sum, event) => sum + event.bytes, 0);
    return { pruned: { events: { count: old.length, bytes } }, at: old.length < EVENTS ? null : [last.seq] };
  },

  async workspaces(ctx, at, dryRun) {
    const { workspacesMs } = ctx.services.definitions.settings().retention;
    if (workspacesMs === null) return DONE;
    const after = String(at[0] ?? "");
    const query = { closedBefore: ctx.now - workspacesMs, after, limit: WORKSPACES };
    const found = await ctx.store.retention.closedWorkspaces(query);
    const old = found.find(({ somethingWaits }) => !somethingWaits)?.key;
    if (old === undefined) {
      const last = found.length < WORKSPACES ? undefined : found.at(-1);
      return { pruned: {}, at: last === undefined ? null : [last.key] };
    }
    // It may have been opened again since the part before.
    const [, begun, phase, position] = at;
    const isBegun = begun === old;
    if (!isBegun || phase === "messages") {
      const { pruned, next } = await pruneMessages(ctx, old, isBegun ? Number(position) : 0, dryRun);
      return {
        pruned: { workspaces: pruned },
        at: next === null ? [after, old, "runs", ""] : [after, old, "messages", next],
      };
    }
    const { bytes, next } = await pruneRuns(ctx, old, String(position), dryRun);
    const pruned = { count: next === null ? 1 : 0, messages: 0, bytes };
    if (next !== null) return { pruned: { workspaces: pruned }, at: [after, old, "runs", next] };
    if (!dryRun) await ctx.store.retention.removeWorkspace(old);
    return { pruned: { workspaces: pruned }, at: [old] };
  },

  async keys(ctx, [sender, key], dryRun) {
    if (dryRun) return DONE;
    const after = sender === undefined ? null : { sender: String(sender), key: String(key) };
    const next = await ctx.store.retention.removeKeysOfRemoved(after, KEYS);
    return { pruned: {}, at: next === null ? null : [next.sender, next.key] };
  },
};

function positionOf(run: RunPosition | null): PrunePosition["at"] {
  return run === null ? [] : [run.endedAt, run.id];
}

/** One part of the messages of a workspace. `next` is null after the last. */
async function pruneMessages({ store: { retention } }: Execute, space: string, after: number, dryRun: boolean) {
  const messages = await retention.messagesOf(space, { after, limit: MESSAGES });
  if (!dryRun) for (const { seq } of messages) await retention.removeMessage(seq);
  const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
  const next = messages.length < MESSAGES ? null : (messages.at(-1)?.seq ?? null);
  return { pruned: { count: 0, messages: messages.length, bytes }, next };
}

/** One part of the runs of a workspace. `next` is null after the last. */
async function pruneRuns({ store: { retention }, now }: Execute, space: string, after: string, dryRun: boolean) {
  const runs = await retention.runsOf(space, { after, limit: RUNS });
  let bytes = 0;
  for (const run of runs) {
    for (const step of await retention.detailedSteps(run)) bytes += step.bytes;
    if (!dryRun) await retention.removeRun(run, now);
    if (bytes > RUN_BYTES) return { bytes, next: run };
  }
  return { bytes, next: runs.length < RUNS ? null : (runs.at(-1) ?? null) };
}
