import { describe, expect, it } from "vitest";
import { engineCases, type EngineRig } from "../../../src/testing/engine-conformance.ts";
import { startAcpRig } from "../../support/engine/acp-rig.ts";

const rig: EngineRig = {
  start: async (moves) => startAcpRig(moves),
  startBroken: async () => startAcpRig([], { agent: { command: ["no-such-agent", "acp"] } }),
  skip: {
    "a call that needs approval parks the run, and is made again under its id":
      "The protocol cannot leave a permission open, so what would need approval is refused.",
  },
};

describe("acp engine on a stand-in [engine.one-interface]", () => {
  it.each(engineCases(rig))("$name", async ({ run }) => {
    await expect(run(rig)).resolves.toBeUndefined();
  });
});
