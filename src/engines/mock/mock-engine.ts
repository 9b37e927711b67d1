import type { AgentDefinition } from "../../domain/agent/definition.ts";
import type { MockScript } from "../../domain/agent/mock-script.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Random } from "../../kernel/random.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { EngineFailure, type Engine } from "../../ports/engine.ts";
import { openMockSession } from "./mock-session.ts";
import { readTranscript } from "./mock-transcript.ts";
import { createProgressBook } from "./script-progress.ts";

export interface MockEngineOptions {
  readonly clock: Clock;
  /** Draws the length of delays; everything else is the same each time. */
  readonly random: Random;
  /** The script an agent plays; null for none. A refusal is shown to people as why the agent cannot run. */
  readonly scripts?: (agent: AgentDefinition) => Result<MockScript | null, Refusal>;
}

/** An engine that plays scripts instead of asking a model: for demos, documentation and tests. Costs nothing. */
export function createMockEngine({ clock, random, scripts = () => ok(null) }: MockEngineOptions): Engine {
  const progressOf = createProgressBook();
  return {
    name: "mock",
    async open(spec, signal) {
      signal.throwIfAborted();
      const script = scripts(spec.agent);
      if (!script.ok) throw new EngineFailure("permanent", sentences(script.error));
      const position = spec.transcript === null ? null : readTranscript(spec.transcript);
      if (script.value !== null && position !== null && position.turn !== null) {
        if (script.value.turns[position.turn] === undefined) {
          throw new EngineFailure(
            "permanent",
            `The script of ${spec.agent.name} changed: the turn this run was in is gone.`,
          );
        }
      }
      const progress = script.value === null ? null : progressOf(spec);
      if (position?.turn != null) progress?.played(position.turn);
      return openMockSession({ clock, random, tools: spec.tools, script: script.value, progress, position });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

function sentences({ message, hint }: Refusal): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
