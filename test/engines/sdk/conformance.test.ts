import { tmpdir } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { engineCases, type EngineRig, type EngineMove } from "../../../src/testing/engine-conformance.ts";
import type { FakeReply, Protocol } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, childProcesses, PROTOCOLS, startEngine } from "../../support/engine/sdk-engine-rig.ts";

function replyFor(move: EngineMove): FakeReply {
  if ("say" in move) return { text: move.say };
  if ("call" in move) return { toolCalls: [{ name: move.call.tool, args: move.call.args }] };
  return "hang" in move ? { silence: "headers" } : { text: move.fail.after, fault: "reset" };
}

const SPARES = 1;
const engine = startEngine({ poolSize: SPARES });
afterAll(() => engine[Symbol.asyncDispose]());

function rigFor(protocol: Protocol): EngineRig {
  const common = { engine, cwd: tmpdir() };
  return {
    start: async (moves) => {
      const server = await startFakeModelServer(moves.map(replyFor));
      const left = async () => Math.max(0, childProcesses().length - SPARES);
      const dispose = () => server[Symbol.asyncDispose]();
      return { ...common, agent: agentOn(server.url, protocol), left, [Symbol.asyncDispose]: dispose };
    },
    startBroken: async () => {
      const agent = agentOn("http://127.0.0.1:1", protocol, { provider: { name: "anthropic" } });
      return { ...common, agent, [Symbol.asyncDispose]: async () => {} };
    },
  };
}

describe.each(PROTOCOLS)("sdk engine on %s [engine.one-interface]", (protocol) => {
  it.each(engineCases({}))("$name", async ({ run }) => {
    await expect(run(rigFor(protocol))).resolves.toBeUndefined();
  });
});
