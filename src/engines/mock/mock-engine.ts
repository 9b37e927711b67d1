import { ok } from "../../kernel/result.ts";
import { EngineFailure, type Engine } from "../../ports/engine.ts";
import type { EngineParts } from "../shared/engine-module.ts";
import { valueOrFailure } from "../shared/failure-text.ts";
import { openMockSession } from "./mock-session.ts";
import { readTranscript } from "./mock-transcript.ts";
import { createProgressBook } from "./script-progress.ts";

/** `random` draws the length of delays; everything else is the same each time. */
export type MockEngineOptions = Pick<EngineParts, "clock" | "random"> & Partial<Pick<EngineParts, "scripts">>;

/** An engine that plays scripts instead of calling a model: for demos, documentation and tests. */
export function createMockEngine({ clock, random, scripts = () => ok(null) }: MockEngineOptions): Engine {
  const progressOf = createProgressBook();
  return {
    name: "mock",
    async open(spec, signal) {
      signal.throwIfAborted();
      const script = valueOrFailure(scripts(spec.agent));
      const transcript = spec.transcript === null ? null : readTranscript(spec.transcript);
      const turn = transcript?.position.turn ?? null;
      if (script !== null && turn !== null && script.turns[turn] === undefined) {
        throw new EngineFailure(
          "permanent",
          `The script of ${spec.agent.name} changed: the turn this run was in is gone.`,
        );
      }
      const progress = script === null ? null : progressOf(spec);
      if (turn !== null) progress?.played(turn);
      return openMockSession({ clock, random, tools: spec.tools, script, progress, transcript });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
