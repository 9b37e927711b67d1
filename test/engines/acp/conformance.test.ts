import { describe, expect, it } from "vitest";
import { startAcpRig } from "../../support/engine/acp-rig.ts";
import { engineConformance, type EngineRig } from "../../support/engine/engine-conformance.ts";

const rig: EngineRig = {
  start: async (moves) => startAcpRig(moves),
  startBroken: async () => startAcpRig([], { agent: { command: ["no-such-agent", "acp"] } }),
  skip: {
    "a call that needs approval parks the run, and is made again under its id":
      "The protocol cannot leave a permission open, so what would need approval is refused.",
  },
};

const named = engineConformance.map((one) => [one.name, one] as const);

describe("acp engine on a stand-in [engine.one-interface]", () => {
  it.each(named.filter(([name]) => rig.skip?.[name] === undefined))("%s", async (_name, { run }) => {
    expect.hasAssertions();
    await run(rig);
  });
});
