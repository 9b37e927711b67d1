import { withModel } from "../../domain/agent/named-model.ts";
import { joinTranscript } from "../../domain/agent/transcript.ts";
import type { Clock } from "../../kernel/clock.ts";
import {
  EngineFailure,
  type Engine,
  type EngineSession,
  type SessionSpec,
  type StepEnd,
  type StepEvent,
} from "../../ports/engine.ts";

/** A run goes on with another model, because the one before failed in it or a short time ago. */
export interface ModelFallback {
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  /** When the model failed. */
  readonly since: number;
}

/** The last failure of each model, and until when the model is not tried first. Shared by the runs of a project. */
export type UnavailableModels = Map<string, Outage>;

interface Outage {
  readonly since: number;
  readonly until: number;
  readonly reason: string;
}

const OUTAGE_MS = 60_000;
const QUOTA_MS = 15 * 60_000;

/**
 * Opens a session on the first model of the agent that is available. When a step fails because of the model (quota,
 * outage, refusal), the same step is made by the next model of the list, from the transcript of the step before. A
 * content filter that withholds a whole answer is a refusal. The failure of the last model is the failure of the step;
 * one that can be retried counts more than one that cannot.
 */
export async function openWithFallback(
  engine: Engine,
  spec: SessionSpec,
  signal: AbortSignal,
  parts: {
    readonly clock: Clock;
    readonly unavailable: UnavailableModels;
    readonly changed: (change: ModelFallback) => Promise<void>;
  },
): Promise<EngineSession> {
  const models = [spec.agent.model ?? "", ...(spec.agent.fallbackModels ?? [])];
  if (models.length === 1) return engine.open(spec, signal);

  const { clock, unavailable, changed } = parts;
  const outageOf = (model: string): Outage | undefined => {
    const outage = unavailable.get(model);
    return outage !== undefined && outage.until > clock.now() ? outage : undefined;
  };
  const isUnavailable = (model: string): boolean => outageOf(model) !== undefined;
  const waiting = models.toSorted((a, b) => Number(isUnavailable(a)) - Number(isUnavailable(b)));
  const failures: ModelFailure[] = [];
  let transcripts = spec.transcript === null ? [] : [spec.transcript];
  let model = waiting.shift() ?? "";
  const passedOver = models.slice(0, models.indexOf(model));
  let session: EngineSession | undefined;

  /** Throws when no model is left. */
  const failed = async (error: unknown): Promise<void> => {
    if (!(error instanceof EngineFailure) || error.class === "crash") throw error;
    failures.push({ model, error });
    const now = clock.now();
    // A model that fails again while it is known to be unavailable has not failed anew.
    const since = outageOf(model)?.since ?? now;
    const reason = error.message;
    if (error !== WITHHELD) unavailable.set(model, { since, until: now + unavailableFor(error, now), reason });
    await session?.[Symbol.asyncDispose]();
    session = undefined;
    const next = waiting.shift();
    if (next === undefined) throw allFailed(failures);
    await changed({ from: model, to: next, reason, since });
    model = next;
  };
  const open = async (openSignal: AbortSignal): Promise<EngineSession> => {
    for (;;) {
      try {
        session ??= await engine.open(
          { ...spec, agent: withModel(spec.agent, model), transcript: wholeOf(transcripts) },
          openSignal,
        );
        return session;
      } catch (error) {
        openSignal.throwIfAborted();
        await failed(error);
      }
    }
  };

  for (const from of passedOver) {
    const outage = outageOf(from);
    if (outage !== undefined) await changed({ from, to: model, reason: outage.reason, since: outage.since });
  }
  await open(signal);
  return {
    get model() {
      return session?.model ?? model;
    },
    async *step(input, stepSignal): AsyncGenerator<StepEvent> {
      for (;;) {
        try {
          for await (const event of (await open(stepSignal)).step(input, stepSignal)) {
            if (event.type === "end") {
              if (isWithheld(event) && waiting.length > 0) throw WITHHELD;
              transcripts = event.continues === true ? [...transcripts, event.transcript] : [event.transcript];
            }
            yield event;
          }
          return;
        } catch (error) {
          stepSignal.throwIfAborted();
          await failed(error);
        }
      }
    },
    [Symbol.asyncDispose]: async () => session?.[Symbol.asyncDispose](),
  };
}

interface ModelFailure {
  readonly model: string;
  readonly error: EngineFailure;
}

/** The failure of a step that no model could make. One that can be retried counts more, and the text names them all. */
function allFailed(failures: readonly ModelFailure[]): EngineFailure {
  const errors = failures.map(({ error }) => error);
  const decisive = errors.find(({ class: kind }) => kind !== "permanent") ?? errors.at(-1);
  if (decisive === undefined) throw new Error("No model failed.");
  if (failures.length === 1) return decisive;
  const { class: kind, retryAfterMs, resetAtMs } = decisive;
  const text = failures.map(({ model, error }) => `${model}: ${error.message}`).join(" ");
  return new EngineFailure(kind, `No model of its list could answer. ${text}`, {
    cause: decisive,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(resetAtMs === undefined ? {} : { resetAtMs }),
  });
}

/** The content filter of the provider left nothing of an answer. It says nothing about the next message. */
const WITHHELD = new EngineFailure("permanent", "The provider's content filter withheld the whole answer.");

function isWithheld({ finished, cut, text }: StepEnd): boolean {
  return finished && cut === "filter" && text.trim() === "";
}

function wholeOf(transcripts: readonly string[]): string | null {
  return transcripts.length === 0 ? null : joinTranscript(transcripts);
}

function unavailableFor({ class: kind, retryAfterMs, resetAtMs }: EngineFailure, now: number): number {
  if (kind !== "quota") return Math.max(OUTAGE_MS, retryAfterMs ?? 0);
  return resetAtMs === undefined ? (retryAfterMs ?? QUOTA_MS) : resetAtMs - now;
}
