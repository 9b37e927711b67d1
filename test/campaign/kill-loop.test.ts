import { expect, it } from "vitest";
import { killLoop } from "../support/daemon/kill-loop.ts";
import { printedSeed } from "../support/store/seed.ts";

const KILLS = Number(process.env["KILLS"] ?? 600);

it(`${KILLS} kills lose nothing that was acknowledged and repeat nothing [store.kill]`, async () => {
  const summary = await killLoop(KILLS, printedSeed("kill loop"));
  console.log(`kill loop: ${summary}`);
  expect(summary).toMatch(/[1-9]\d* messages acknowledged/);
});
