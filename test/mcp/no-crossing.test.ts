import { afterAll, beforeAll, expect, test } from "vitest";
import { countCrossed, echoOf } from "../support/daemon/mcp-crossing.ts";
import { openMcpRig, REVIEW, type McpRig } from "../support/daemon/mcp-rig.ts";

let rig: McpRig;
beforeAll(async () => {
  rig = await openMcpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

test("[mcp.no-crossing] (F19) two clients with the same request ids never get each other's answers", async () => {
  expect(await countCrossed(rig, 1_000)).toEqual({ made: 1_000, crossed: 0 });
});

test("[mcp.no-crossing] the same with the official client, in both eras at once", async () => {
  const names = ["alice", "bob"];
  const calls = names.flatMap((name) => {
    const caller = {
      kind: "agent",
      name,
      space: REVIEW,
      run: null,
      cause: null,
      operations: new Set<string>(),
    } as const;
    const { token } = rig.open({ caller, tools: echoOf(name) });
    return (["legacy", "modern"] as const).map(async (era) => {
      const client = await rig.connect(token, era);
      const said = await Promise.all(
        Array.from({ length: 50 }, (_, n) => client.callTool({ name: "echo", arguments: { n } })),
      );
      return said.every(
        ({ structuredContent }, n) => JSON.stringify(structuredContent) === `{"agent":"${name}","n":${n}}`,
      );
    });
  });
  expect(await Promise.all(calls)).toEqual([true, true, true, true]);
});
