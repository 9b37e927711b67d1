import type { Log } from "../../kernel/log.ts";
import type { EngineSession, SessionSpec, StepEvent, StepInput } from "../../ports/engine.ts";
import type { CliOutcome, CliTurn } from "./cli-dialect.ts";
import { engineFailure } from "./cli-failure.ts";
import { startTurn, type TurnParts } from "./run-turn.ts";
import { readSession, writeSession } from "./session-record.ts";

export interface CliSessionParts extends TurnParts {
  readonly spec: SessionSpec;
  /** What the dialect is told of every turn. */
  readonly common: Omit<CliTurn, "folder" | "session" | "prompt">;
  readonly redact: (text: string) => string;
  readonly log: Log;
}

/** For a step that goes on where the last one ended. */
const CONTINUE = "Continue.";

/**
 * A run on a command line. A step is a whole turn of the program, from its start to its end, so between two steps
 * nothing runs. The program's own session is gone on with, this run's or the agent's last one in the same space; one
 * that the program does not know any more, or cannot go on with, is replaced by a new one, once.
 */
export function openCliSession(parts: CliSessionParts): EngineSession {
  const { dialect, spec, common } = parts;
  const closed = new AbortController();
  const turns = new Set<Promise<void>>();
  let last: string | null = spec.transcript;

  const play = async function* (
    prompt: string,
    session: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<StepEvent, CliOutcome> {
    const turn = startTurn(parts, { ...common, prompt, session }, signal);
    turns.add(turn.gone);
    void turn.gone.then(() => turns.delete(turn.gone));
    return yield* turn.events;
  };

  const step = async function* (input: StepInput, stepSignal: AbortSignal): AsyncGenerator<StepEvent> {
    const signal = AbortSignal.any([stepSignal, closed.signal]);
    signal.throwIfAborted();
    const prompt = input.prompt ?? CONTINUE;
    const session = readSession(dialect.name, last ?? (await spec.previous()), spec.system);
    signal.throwIfAborted();
    let outcome = yield* play(prompt, session, signal);
    if (outcome.kind === "failure" && outcome.sessionUnusable === true && session !== null) {
      parts.log.info("began a new session", { run: spec.run, engine: dialect.name, reason: outcome.message });
      outcome = yield* play(prompt, null, signal);
    }
    if (outcome.kind === "failure") throw engineFailure(dialect.title, outcome, parts.redact);
    last = writeSession(dialect.name, outcome.session, spec.system);
    const { text, usage } = outcome;
    yield { type: "end", transcript: last, finished: true, text, waitsFor: null, usage };
  };

  return {
    step,
    [Symbol.asyncDispose]: async () => {
      closed.abort(new Error("The session has been closed."));
      await Promise.all(turns);
    },
  };
}
