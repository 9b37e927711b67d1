import * as contract from "../../contract/activity/timeline.ts";
import type { TimedRunView } from "../../contract/activity/timeline.ts";
import { PERSON } from "../../domain/message/message.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { PastStep } from "../../ports/store/run-history.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { mailboxQuery } from "../core/mailbox-query.ts";
import { runStop } from "../runs/run-stop.ts";
import { toRunView } from "../runs/view.ts";

export const showTimeline = query(contract.showTimeline, {
  access: persons,

  async execute({ target, chain, before, limit }, ctx) {
    if (target !== undefined && chain !== undefined) {
      return refuse("invalid", "A target and a chain are given.", { hint: "Give one of them." });
    }
    const parsed = target === undefined ? ok(undefined) : parseTarget(target);
    if (!parsed.ok) return parsed;
    const listed = await ctx.read(async (store) => {
      const root = chain === undefined ? ok(undefined) : await rootOf(store, chain);
      if (!root.ok) return root;
      const filter = parsed.value === undefined ? {} : await mailboxQuery(store, parsed.value);
      const part = root.value === undefined ? filter : { root: root.value };
      const runs = await store.history.list({ ...part, limit, ...(before === undefined ? {} : { before }) });
      const views: TimedRunView[] = [];
      for (const run of runs) views.push(await timedRun(store, run));
      return ok(views);
    });
    if (!listed.ok) return listed;
    const runs = listed.value;
    if (runs.length === 0 && parsed.value !== undefined) {
      const known = await checkKnown(ctx, parsed.value);
      if (!known.ok) return known;
    }
    return ok({ runs, next: runs.length < limit ? null : (runs.at(-1)?.id ?? null) });
  },
});

async function rootOf(store: StoreReads, id: string): Promise<Result<string, Refusal>> {
  const root = (await store.runs.byId(id))?.root ?? (await store.messages.byId(id))?.root;
  if (root !== undefined && root !== "") return ok(root);
  return refuse("not_found", `There is no run or message "${id.slice(0, 64)}".`, {
    hint: "Look the id up in the channel, or among the runs.",
  });
}

async function timedRun(store: StoreReads, run: RunRecord): Promise<TimedRunView> {
  const cause = await store.messages.byId(run.cause);
  const steps = await store.history.steps(run.id);
  return {
    ...toRunView(run, await store.runs.usage({ run: run.id }), await runStop(store, run)),
    wokenBy: cause === undefined ? null : wokenBy(cause, await askedAgain(store, cause)),
    root: run.root,
    steps: steps.map(timedStep),
  };
}

const EXCERPT_CHARS = 160;

/** The text of a message that asks again is a prompt. Returns what somebody wrote in the first place. */
async function askedAgain(store: StoreReads, { sender, kind, run }: MessageRecord): Promise<string | undefined> {
  if (sender !== PERSON || kind !== "message" || run === null) return undefined;
  const earlier = await store.runs.byId(run);
  const asked = earlier === undefined ? undefined : await store.messages.byId(earlier.cause);
  return `asked again: ${asked?.body ?? "the question of an earlier run"}`;
}

function wokenBy(
  { sender, id, seq, createdAt, run, body }: MessageRecord,
  inWords: string = body,
): TimedRunView["wokenBy"] {
  const excerpt = inWords.slice(0, EXCERPT_CHARS).toWellFormed();
  return { from: sender, message: id, seq, at: new Date(createdAt).toISOString(), run, excerpt };
}

function timedStep({ number, finishedAt, wallMs, calls }: PastStep): TimedRunView["steps"][number] {
  const times = calls.map((call) => call.wallMs);
  // Tools may work side by side: together they take no longer than the step.
  const known = times.every((time) => time !== undefined);
  const toolMs = Math.min(
    wallMs,
    times.reduce<number>((sum, time) => sum + (time ?? 0), 0),
  );
  return {
    number,
    startedAt: new Date(finishedAt - wallMs).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    toolMs: known ? toolMs : null,
    tools: calls.map(({ tool }) => tool),
  };
}
