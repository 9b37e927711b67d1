import { expect, it } from "vitest";
import { printedSeed } from "../support/store/seed.ts";
import { teamKillLoop } from "../support/team/team-kill-loop.ts";

const KILLS = Number(process.env["KILLS"] ?? 400);

it(`${KILLS} kills of a team at work: every message answered once, no finished step repeated [run.kill-exactly-one] [run.tools-not-repeated]`, async () => {
  const summary = await teamKillLoop(KILLS, printedSeed("team kill loop"));
  console.log(`team kill loop: ${summary}`);
  expect(summary).toMatch(/[1-9]\d* messages with a receipt/);
});
