import { expect, test } from "vitest";
import { countCrossed } from "../support/daemon/mcp-crossing.ts";
import { openMcpRig } from "../support/daemon/mcp-rig.ts";

test("(F19) ten thousand interleaved calls of two clients with the same request ids, and no answer goes astray", async () => {
  await using rig = await openMcpRig();
  expect(await countCrossed(rig, 10_000)).toEqual({ made: 10_000, crossed: 0 });
});
