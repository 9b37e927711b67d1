import { expect, it } from "vitest";
import { daemonUnderLoad } from "../support/daemon/daemon-load.ts";

it("ten thousand agents, a hundred workspaces and a hundred thousand waiting messages hinder nobody else (F24)", async () => {
  const took = await daemonUnderLoad({ agents: 10_000, workspaces: 100, pending: 100_000 });
  console.log(`load: ${took}`);
  expect(took).toContain("100000 waiting");
});
