import { shortenedArgs } from "../../domain/text/shortened-args.ts";
import { promptOfTranscript } from "../../domain/agent/transcript.ts";
import { utcDay } from "../../domain/budget/day.ts";
import { estimateCost } from "../../domain/budget/price.ts";
import {
  NOTHING_USED,
  plausibleUsage,
  stepTotal,
  tokensOf,
  type Usage,
  type UsageTotal,
} from "../../domain/budget/usage.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { Prices } from "../../ports/prices.ts";
import type { ToolCallRecord } from "../../ports/store/run-history.ts";
import type { PromptRecord } from "../../ports/store/run-input.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Execute } from "../core/define.ts";
import { redactTexts } from "../core/redact-texts.ts";
import type { FinishedStep, GivenInput } from "./leased-run.ts";

/** Stores a finished step with its usage. Returns the tokens to charge to its chain. */
export async function recordStep(ctx: Execute, run: RunRecord, step: FinishedStep): Promise<number> {
  const usage = withCost(plausibleUsage(step.usage), step.model, ctx.services.prices);
  if (step.model !== undefined && step.model !== run.model) await ctx.store.runs.setModel(run.id, step.model);
  const redact = (text: string): string => ctx.services.redact(text);
  const transcript = redactTranscript(step.transcript, redact);
  await ctx.store.runs.checkpoint({ ...step, transcript, run: run.id, finishedAt: ctx.now, usage });
  // It is not made again, so nobody asks for the answers of its calls any more.
  await ctx.store.callAnswers.forget(run.id);
  if (step.receipt !== undefined) await ctx.store.history.storeReceipt(run.id, step.receipt);
  if (step.given !== undefined)
    await ctx.store.history.storePrompt(run.id, storedPrompt(step.given, transcript, redact), ctx.now);
  if (step.calls.length > 0) {
    await ctx.store.history.storeCalls(run.id, step.number, storedCalls(step.calls, ctx.services.redact));
  }
  await addUsage(ctx, run, stepTotal({ ...step, usage }));
  return tokensOf(usage).tokens;
}

/** A cost that the engine does not report is estimated by the price of the model. */
function withCost(usage: Usage, model: string | undefined, prices: Prices): Usage {
  const price = usage.cost.basis === "unknown" && model !== undefined ? prices.of(model) : undefined;
  return price === undefined ? usage : { ...usage, cost: estimateCost(usage, price) };
}

/**
 * Tool output is in the transcript as the model saw it. Each text is redacted by itself, so that the result is still the
 * JSON from which an interrupted run resumes.
 */
function redactTranscript(transcript: string, redact: (text: string) => string): string {
  const before = parseJson(transcript);
  if (before === undefined) return redact(transcript);
  const after = redactTexts(before, redact);
  return after === before ? transcript : JSON.stringify(after);
}

function parseJson(transcript: string): unknown {
  try {
    return JSON.parse(transcript);
  } catch {
    return undefined;
  }
}

/**
 * The prompt is stored once: many engines begin their transcript with it. Its pieces are whole messages and sections, so
 * each is redacted by itself; nearly all of them were in earlier prompts, and are known to have no secret.
 */
function storedPrompt(
  { system, prompt, tools }: GivenInput,
  transcript: string,
  redact: (text: string) => string,
): PromptRecord {
  const clean = prompt.map(({ text, shared }) => ({ text: redact(text), shared }));
  const begins = promptOfTranscript(parseJson(transcript));
  const isInTranscript = begins !== null && begins === clean.map(({ text }) => text).join("");
  return { system: redact(system), tools, prompt: isInTranscript ? null : clean };
}

const MAX_STORED_CHARS = 4_000;

/** Redacts before it cuts: half a secret would not be recognised. */
function storedCalls(calls: readonly ToolCallRecord[], redact: (text: string) => string): ToolCallRecord[] {
  const shorten = (text: string): string => {
    const clean = redact(text);
    if (clean.length <= MAX_STORED_CHARS) return clean;
    return `${clean.slice(0, MAX_STORED_CHARS).toWellFormed()} [... the rest is not kept]`;
  };
  return calls.map(({ tool, args, result, failed, wallMs }) => ({
    tool: shorten(tool),
    args: shortenedArgs(redact(args), MAX_STORED_CHARS),
    result: result === null ? null : shorten(result),
    failed,
    ...(wallMs === undefined ? {} : { wallMs }),
  }));
}

/** A run that failed before its first step still counts as a turn. */
export async function countRunWithoutSteps(ctx: Execute, run: RunRecord): Promise<void> {
  if ((await ctx.store.runs.lastStep(run.id)) !== undefined) return;
  await addUsage(ctx, run, { ...NOTHING_USED, runs: 1 });
}

/** What is used in a sub-space is used by its workspace, which has the budget. */
export async function addUsage(ctx: Execute, { mailbox, ...run }: RunRecord, used: UsageTotal): Promise<void> {
  const space = workspaceOf(run.space);
  const openedAt = await openedAtOf(ctx.store, space);
  await ctx.store.usage.add({ mailbox, space, openedAt, day: utcDay(ctx.now) }, used);
}

/** Returns when the workspace was opened, because its budget starts again then; 0 for direct messages. */
export async function openedAtOf(store: StoreReads, space: string): Promise<number> {
  return space.startsWith("@") ? ((await store.workspaces.status(space))?.openedAt ?? 0) : 0;
}
