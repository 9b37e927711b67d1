import { describe, expect, it } from "vitest";
import { engineCases, type EngineRig } from "../../../../src/testing/engine-conformance.ts";
import { startClaudeRig } from "../../../support/engine/claude-rig.ts";

const rig: EngineRig = {
  start: async (moves) => startClaudeRig(moves),
  startBroken: async () => startClaudeRig([], { isInstalled: false }),
  skip: {
    "a call that needs approval parks the run, and is made again under its id":
      "The tools a command line gets over MCP need no approval; for its own see approvals.test.ts.",
  },
};

describe("claude engine on a stand-in [engine.one-interface] [engine.claude]", () => {
  it.each(engineCases(rig))("$name", async ({ run }) => {
    await expect(run(rig)).resolves.toBeUndefined();
  });
});
