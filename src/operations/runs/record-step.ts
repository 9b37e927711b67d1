import { utcDay } from "../../domain/budget/day.ts";
import { NOTHING_USED, plausibleUsage, stepTotal, tokensOf, type UsageTotal } from "../../domain/budget/usage.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Execute } from "../core/define.ts";
import type { FinishedStep } from "./leased-run.ts";
import { redactTexts } from "../core/redact-texts.ts";

/** Keeps a finished step with what it used. Answers the tokens its chain of messages is to be charged. */
export async function recordStep(ctx: Execute, run: RunRecord, step: FinishedStep): Promise<number> {
  const usage = plausibleUsage(step.usage);
  const transcript = withoutSecrets(step.transcript, (text) => ctx.services.redact(text));
  await ctx.store.runs.checkpoint({ ...step, transcript, run: run.id, finishedAt: ctx.now, usage });
  if (step.receipt !== undefined) await ctx.store.history.keepReceipt(run.id, step.receipt);
  if (step.calls.length > 0) {
    await ctx.store.history.keepCalls(run.id, step.number, storedCalls(step.calls, ctx.services.redact));
  }
  await addUsage(ctx, run, stepTotal({ ...step, usage }));
  return tokensOf(usage).tokens;
}

/**
 * What tools printed is in the transcript as the model saw it. Text by text, so that what is left is still the JSON that
 * a run goes on from: only a run that is interrupted ever meets what was taken out.
 */
function withoutSecrets(transcript: string, redact: (text: string) => string): string {
  const before = parsed(transcript);
  if (before === undefined) return redact(transcript);
  const after = redactTexts(before, redact);
  return after === before ? transcript : JSON.stringify(after);
}

function parsed(transcript: string): unknown {
  try {
    return JSON.parse(transcript);
  } catch {
    return undefined;
  }
}

const MAX_STORED_CHARS = 4_000;

/** Redacts before it cuts: half a secret would not be recognised. */
function storedCalls(calls: readonly ToolCallRecord[], redact: (text: string) => string): ToolCallRecord[] {
  const shorten = (text: string): string => {
    const clean = redact(text);
    if (clean.length <= MAX_STORED_CHARS) return clean;
    return `${clean.slice(0, MAX_STORED_CHARS).toWellFormed()} [... the rest is not kept]`;
  };
  return calls.map(({ tool, args, result, failed }) => ({
    tool: shorten(tool),
    args: shorten(args),
    result: result === null ? null : shorten(result),
    failed,
  }));
}

/** A run that failed before its first step was a turn all the same, and may have cost something nobody tells us. */
export async function recordFruitlessRun(ctx: Execute, run: RunRecord): Promise<void> {
  if ((await ctx.store.runs.lastStep(run.id)) !== undefined) return;
  await addUsage(ctx, run, { ...NOTHING_USED, runs: 1 });
}

async function addUsage(ctx: Execute, { mailbox, space }: RunRecord, used: UsageTotal): Promise<void> {
  await ctx.store.usage.add({ mailbox, space, life: await openedAtOf(ctx.store, space), day: utcDay(ctx.now) }, used);
}

/** When the workspace was opened: its budget begins anew each time. 0 for direct messages. */
export async function openedAtOf(store: StoreReads, space: string): Promise<number> {
  return space.startsWith("@") ? ((await store.workspaces.status(space))?.openedAt ?? 0) : 0;
}
