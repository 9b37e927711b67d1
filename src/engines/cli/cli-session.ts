import { programModel } from "../../domain/agent/model.ts";
import type { Log } from "../../kernel/log.ts";
import type { EngineSession, ImageContent, SessionSpec, StepEvent, StepInput } from "../../ports/engine.ts";
import { nextTurn, stillWaiting, turnEnd } from "../shared/next-turn.ts";
import { createPermissionBroker, type PermissionBroker } from "../shared/permission-broker.ts";
import { readSession, readWaiting } from "../shared/session-record.ts";
import type { CliOutcome, CliTurn } from "./cli-dialect.ts";
import { engineFailure } from "./cli-failure.ts";
import { startTurn, type TurnParts } from "./run-turn.ts";

export interface CliSessionParts extends TurnParts {
  readonly spec: SessionSpec;
  /** The part of a turn that is the same for all turns. */
  readonly common: Omit<CliTurn, "folder" | "session" | "prompt" | "images">;
  readonly redact: (text: string) => string;
  readonly log: Log;
}

/**
 * A run on a command line. A step is a whole turn of the program, from start to exit, so no process runs between two
 * steps. It resumes the program's own session of this run, or the agent's last one in the same space. A session that
 * cannot be resumed is replaced by a new one, once. After a turn that ended because a call needs approval, the next
 * prompt contains the decision.
 */
export function openCliSession(parts: CliSessionParts): EngineSession {
  const { dialect, spec, common } = parts;
  const closed = new AbortController();
  const turns = new Set<Promise<void>>();
  let transcript = spec.transcript;

  const runTurn = async function* (
    prompt: string,
    images: readonly ImageContent[],
    session: string | null,
    decide: PermissionBroker["decide"],
    signal: AbortSignal,
  ): AsyncGenerator<StepEvent, CliOutcome> {
    const turn = startTurn(parts, { ...common, prompt, images, session }, decide, signal);
    turns.add(turn.gone);
    void turn.gone.then(() => turns.delete(turn.gone));
    return yield* turn.events;
  };

  const step = async function* (input: StepInput, stepSignal: AbortSignal): AsyncGenerator<StepEvent> {
    const signal = AbortSignal.any([stepSignal, closed.signal]);
    signal.throwIfAborted();
    const session = readSession(dialect.name, transcript ?? (await spec.previous()), spec.system);
    const turn = await nextTurn(spec, input, readWaiting(transcript), session);
    signal.throwIfAborted();
    if (turn.waitsFor !== null) {
      yield stillWaiting(transcript ?? "", turn.waitsFor);
      return;
    }
    const { decide, pending } = createPermissionBroker(spec, input.number, turn.decided);
    const images = await readShown(spec);
    // A session that goes on has seen them.
    const added = input.prompt === null && session !== null ? [] : images;
    let outcome = yield* runTurn(turn.prompt, added, session, decide, signal);
    if (outcome.kind === "failure" && outcome.sessionUnusable === true && session !== null) {
      parts.log.info("began a new session", { run: spec.run, engine: dialect.name, reason: outcome.message });
      outcome = yield* runTurn(turn.wholePrompt, images, null, decide, signal);
    }
    if (outcome.kind === "failure") throw engineFailure(dialect.title, outcome, parts.redact);
    const end = turnEnd({ engine: dialect.name, system: spec.system }, outcome, pending(), turn.wholePrompt);
    transcript = end.transcript;
    yield end;
  };

  return {
    model: programModel(dialect.name, spec.agent.model),
    step,
    [Symbol.asyncDispose]: async () => {
      closed.abort(new Error("The session has been closed."));
      await Promise.all(turns);
    },
  };
}

async function readShown({ images }: SessionSpec): Promise<ImageContent[]> {
  if (images === undefined) return [];
  const read = await Promise.all(images.shown.map(({ resource }) => images.read(resource)));
  return read.filter((image) => image !== null);
}
