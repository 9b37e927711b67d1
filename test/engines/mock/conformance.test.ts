import { describe, expect, it } from "vitest";
import type { MockStep } from "../../../src/domain/agent/mock-script.ts";
import type { MockScript } from "../../../src/domain/agent/mock-script.ts";
import { createMockEngine } from "../../../src/engines/mock/mock-engine.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { refuse, type Refusal } from "../../../src/kernel/refusal.ts";
import { ok, type Result } from "../../../src/kernel/result.ts";
import {
  engineCases,
  type EngineRig,
  type EngineMove,
  type StartedEngine,
} from "../../../src/testing/engine-conformance.ts";

function started(script: Result<MockScript, Refusal>): StartedEngine {
  const engine = createMockEngine({ clock: systemClock, random: seededRandom(1), scripts: () => script });
  return {
    engine,
    agent: { name: "alice", backend: "mock", prompt: { system: "You are alice." } },
    cwd: "/",
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

function stepFor(move: EngineMove): MockStep {
  if ("say" in move) return { kind: "say", text: move.say };
  if ("call" in move) return { kind: "call", ...move.call };
  if ("hang" in move) return { kind: "delay", minMs: 3_600_000, maxMs: 3_600_000 };
  return { kind: "fail", class: "transient", after: move.fail.after };
}

const rig: EngineRig = {
  start: async (moves) => started(ok({ turns: [{ steps: moves.map(stepFor) }] })),
  startBroken: async () => started(refuse("not_found", "The script scripts/alice.yaml does not exist.")),
};

describe("the mock engine [engine.one-interface]", () => {
  it.each(engineCases(rig))("$name", async ({ run }) => {
    await expect(run(rig)).resolves.toBeUndefined();
  });
});
