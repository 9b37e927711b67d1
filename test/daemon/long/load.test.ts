import { expect, it } from "vitest";
import { daemonUnderLoad } from "../../support/daemon/daemon-load.ts";

it("hundreds of agents and thousands of waiting messages lose nothing and hinder nobody else (F24)", async () => {
  const took = await daemonUnderLoad({ agents: 300, workspaces: 10, pending: 3_000 });
  console.log(`load: ${took}`);
  expect(took).toContain("3000 waiting");
}, 120_000);
