import type { AgentDefinition, EngineName } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import { markCut } from "../../domain/message/answer-cut.ts";
import { formatDuration } from "../../domain/schedule/duration.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Fault, type FaultCode } from "../../kernel/fault.ts";
import type { Log } from "../../kernel/log.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { isScarcity } from "../../kernel/scarcity.ts";
import type { System } from "../../kernel/system.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { awaitApproval } from "../../operations/runs/await-approval.ts";
import type { BegunRun } from "../../operations/runs/begin-run.ts";
import { checkpointStep } from "../../operations/runs/checkpoint-step.ts";
import type { GivenInput, LeasedRun } from "../../operations/runs/leased-run.ts";
import { noteModelChange } from "../../operations/runs/note-model-change.ts";
import { settleRun, type Settlement } from "../../operations/runs/settle-run.ts";
import { yieldRun } from "../../operations/runs/yield-run.ts";
import { EngineFailure, type Engine, type EngineSession, type SessionSpec } from "../../ports/engine.ts";
import type { ToolSpec } from "../../ports/tools.ts";
import { executeStep, type FinishedStep } from "./execute-step.ts";
import type { LiveEvent, SeenStepEvent } from "./live-event.ts";
import { openWithFallback, type ModelFallback, type UnavailableModels } from "./model-fallback.ts";

/** What a run needs before its first step. Disposed when the run ends, yields or fails. */
export interface PreparedRun extends AsyncDisposable {
  readonly definition: AgentDefinition;
  readonly spec: SessionSpec;
  /** Used only by a run that starts: a run that resumes has it in its transcript. */
  readonly prompt: string;
  readonly pieces: GivenInput["prompt"];
  /** What the prompt holds and what was left out, as JSON: stored with the first step. */
  readonly receipt: string;
  beginStep(number: number): void;
  /** Commits what the run changed, if it works in a worktree: before its answer, so that who reads it finds the work. */
  keepWork(text: string): Promise<void>;
}

export interface RunParts {
  readonly system: System<ProductTypes>;
  readonly leaseOwner: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly engines: ReadonlyMap<EngineName, Engine>;
  readonly prepare: (begun: BegunRun) => Promise<PreparedRun>;
  readonly watch: (event: LiveEvent) => void;
  readonly unavailable: UnavailableModels;
}

const DEFAULT_MAX_STEPS = 50;

/** The store failed, not the run: the loop retries, and the run goes on from its last finished step. */
const STORE_FAULTS: ReadonlySet<FaultCode> = new Set(["disk_full", "disk_failed", "database_gone", "store_closed"]);

/**
 * Executes a begun run until it is settled, or until it yields. Every finished step is on disk before the next one
 * starts: after a crash, a stop or a more urgent run, the run goes on after that step.
 * Returns whether its mailbox may have more to do.
 */
export async function executeRun(parts: RunParts, begun: BegunRun, signal: AbortSignal): Promise<boolean> {
  const { run } = begun;
  const leased = { run: run.id, space: run.space, leaseOwner: parts.leaseOwner, fence: run.fence };
  try {
    await using prepared = await parts.prepare(begun);
    using limit = timeLimit(parts.clock, prepared.definition, signal);
    const engine = findEngine(parts, prepared.definition);
    const fallbacks: string[] = [];
    const changed = async (change: ModelFallback): Promise<void> => {
      fallbacks.push(...(await noteChange(parts, leased, change)));
    };
    await using session = await openWithFallback(engine, prepared.spec, limit.signal, { ...parts, changed });
    return await driveRun(parts, begun, { ...prepared, fallbacks }, session, limit.signal);
  } catch (error) {
    if (error instanceof Fault && STORE_FAULTS.has(error.code)) throw error;
    if (signal.aborted) {
      await yieldLeased(parts, leased);
      return true;
    }
    return settle(parts, { ...leased, result: failureOf(parts.log, run.id, error) });
  }
}

async function driveRun(
  parts: RunParts,
  { run, finishedSteps }: BegunRun,
  prepared: Omit<PreparedRun, keyof AsyncDisposable> & { readonly fallbacks: readonly string[] },
  session: EngineSession,
  signal: AbortSignal,
): Promise<boolean> {
  const leased = { run: run.id, space: run.space, leaseOwner: parts.leaseOwner, fence: run.fence };
  const who = { run: run.id, space: run.space, agent: run.agent };
  const maxSteps = prepared.definition.maxSteps ?? DEFAULT_MAX_STEPS;

  let told = 0;
  for (let number = finishedSteps + 1; ; number += 1) {
    const prompt = number === 1 ? prepared.prompt : null;
    const startedAt = parts.clock.monotonic();
    const attempt = (): Promise<FinishedStep> => {
      parts.watch({ ...who, type: "step", number });
      prepared.beginStep(number);
      const watch = (event: SeenStepEvent): void => parts.watch({ ...who, ...event });
      return executeStep(session, prepared.spec.tools, { number, prompt }, signal, watch, () =>
        parts.clock.monotonic(),
      );
    };
    const step = await attempt().catch((error: unknown) => {
      if (!(error instanceof EngineFailure) || !error.shared) throw error;
      parts.log.warn("a step is made again alone, because the process it shared ended", { run: run.id, error });
      return attempt();
    });
    const wallMs = Math.max(0, Math.round(parts.clock.monotonic() - startedAt));
    const { calls } = step;
    // The receipt of a run that resumes is already stored.
    const tells = number === 1 || (finishedSteps === 0 && prepared.fallbacks.length > told);
    told = prepared.fallbacks.length;
    const receipt = tells ? { receipt: withFallbacks(prepared) } : {};
    const first = number === 1 ? { given: givenTo(prepared) } : {};
    const { transcript, continues = false, usage } = step.end;
    const finished = {
      number,
      transcript,
      continues,
      wallMs,
      usage,
      model: session.model,
      calls,
      ...receipt,
      ...first,
    };

    const approval = step.end.waitsFor;
    if (approval !== null) {
      const waiting = await parts.system.propose(systemCaller, awaitApproval, { ...leased, step: finished, approval });
      if (!waiting.ok) parts.log.warn("a run was taken over", { run: run.id, reason: waiting.error.message });
      if (!waiting.ok || waiting.value.waits) return true;
      signal.throwIfAborted();
      continue;
    }
    if (isLast(step) || number >= maxSteps) {
      const { text, cut } = step.end;
      const limit = !isLast(step) ? "max_steps" : step.silent ? null : (cut ?? null);
      const whole = cut === undefined ? text : markCut(text, cut);
      const result = { kind: "done", text: step.silent ? "" : whole, limit } as const;
      await prepared.keepWork(result.text);
      return settle(parts, { ...leased, result, step: finished });
    }
    const { budget: budgetAtStart } = prepared.definition;
    const checkpoint = await parts.system.propose(systemCaller, checkpointStep, {
      ...leased,
      step: finished,
      budgetAtStart,
    });
    if (!checkpoint.ok) {
      parts.log.warn("a run was taken over", { run: run.id, reason: checkpoint.error.message });
      return true;
    }
    if (checkpoint.value.stopped !== null) {
      parts.log.warn("a run was stopped", { run: run.id, reason: checkpoint.value.stopped });
      return true;
    }
    if (checkpoint.value.yielded) return true;
    signal.throwIfAborted();
  }
}

function withFallbacks({
  receipt,
  fallbacks,
}: Pick<PreparedRun, "receipt"> & { fallbacks: readonly string[] }): string {
  if (fallbacks.length === 0) return receipt;
  return JSON.stringify({ ...(JSON.parse(receipt) as object), fallbacks });
}

function givenTo({ pieces, spec: { system, tools } }: Pick<PreparedRun, "pieces" | "spec">): GivenInput {
  return { system, prompt: pieces, tools: toolsText(tools.list()) };
}

const SPEC_TEXTS = new WeakMap<ToolSpec, string>();

/** The tools as a JSON list. The text of a tool of the team is made once. */
function toolsText(tools: readonly ToolSpec[]): string {
  const texts = tools.map((tool) => {
    const text = SPEC_TEXTS.get(tool) ?? JSON.stringify(tool);
    SPEC_TEXTS.set(tool, text);
    return text;
  });
  return `[${texts.join(",")}]`;
}

function findEngine({ engines }: RunParts, { backend = DEFAULT_ENGINE }: AgentDefinition): Engine {
  const engine = engines.get(backend);
  if (engine !== undefined) return engine;
  const available = [...engines.keys()].join(", ");
  throw new EngineFailure("permanent", `The engine "${backend}" is not available here. Available: ${available}.`);
}

/** Returns a signal that aborts with `signal`, or when the run takes longer than the timeout of its agent. */
function timeLimit(
  clock: Clock,
  { timeoutMs }: AgentDefinition,
  signal: AbortSignal,
): Disposable & { signal: AbortSignal } {
  if (timeoutMs === undefined) return { signal, [Symbol.dispose]: () => {} };
  const late = new AbortController();
  const disposed = new AbortController();
  clock.sleep(timeoutMs, disposed.signal).then(
    () => late.abort(new EngineFailure("transient", `It took longer than ${formatDuration(timeoutMs)}, its timeout.`)),
    () => {},
  );
  return { signal: AbortSignal.any([signal, late.signal]), [Symbol.dispose]: () => disposed.abort() };
}

function isLast({ end, silent }: FinishedStep): boolean {
  return end.finished || silent;
}

/**
 * Any error but an EngineFailure is a bug, unless this machine had no descriptor or memory left. It costs the run one
 * attempt, like a crash, and never ends the loop.
 */
function failureOf(log: Log, run: string, error: unknown) {
  if (error instanceof EngineFailure) {
    return {
      kind: "failed",
      class: error.class,
      message: error.message,
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
      ...(error.resetAtMs === undefined ? {} : { resetAtMs: error.resetAtMs }),
    } as const;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isScarcity(error)) {
    log.warn("a run waits until this machine has what it needs", { run, error });
    return { kind: "failed", class: "scarcity", message } as const;
  }
  log.error("a run failed unexpectedly", { run, error });
  return { kind: "failed", class: "crash", message: `Something went wrong inside agent-worker: ${message}` } as const;
}

async function settle({ system, log }: RunParts, settlement: Settlement): Promise<boolean> {
  const settled = await system.propose(systemCaller, settleRun, settlement);
  if (!settled.ok) warnTaken(log, settled.error);
  return !settled.ok || settled.value.more;
}

async function noteChange({ system, log }: RunParts, leased: LeasedRun, change: ModelFallback): Promise<string[]> {
  log.warn("a run goes on with another model", { run: leased.run, ...change });
  const noted = await system.propose(systemCaller, noteModelChange, { ...leased, ...change });
  if (noted.ok) return [noted.value.notice];
  warnTaken(log, noted.error);
  return [];
}

async function yieldLeased({ system, log }: RunParts, leased: LeasedRun): Promise<void> {
  const yielded = await system.propose(systemCaller, yieldRun, leased);
  if (!yielded.ok) warnTaken(log, yielded.error);
}

/** A refusal here means that another daemon process has leased the run: nothing is left to do. */
function warnTaken(log: Log, { message }: Refusal): void {
  log.warn("a run could not be settled", { reason: message });
}
