import { describe, expect, it } from "vitest";
import { startClaudeRig } from "../../../support/engine/claude-rig.ts";
import { engineConformance, type EngineRig } from "../../../support/engine/engine-conformance.ts";

const rig: EngineRig = {
  start: async (moves) => startClaudeRig(moves),
  startBroken: async () => startClaudeRig([], { isInstalled: false }),
  skip: {
    "a call that needs approval parks the run, and is made again under its id":
      "The tools a command line gets over MCP need no approval; for its own see approvals.test.ts.",
  },
};

const named = engineConformance.map((one) => [one.name, one] as const);

describe("claude engine on a stand-in [engine.one-interface] [engine.claude]", () => {
  it.each(named.filter(([name]) => rig.skip?.[name] === undefined))("%s", async (_name, { run }) => {
    expect.hasAssertions();
    await run(rig);
  });
});
