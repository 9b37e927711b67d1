import { expect, it } from "vitest";
import { killLoop } from "../support/daemon/kill-loop.ts";
import { printedSeed } from "../support/store/seed.ts";

it("a project killed while it sends keeps everything it acknowledged, once [store.kill]", async () => {
  const summary = await killLoop(5, printedSeed("kill"));
  console.log(`kill: ${summary}`);
  expect(summary).toMatch(/[1-9]\d* messages acknowledged/);
}, 120_000);
