import { expect, it } from "vitest";
import { printedSeed } from "../../support/store/seed.ts";
import { teamKillLoop } from "../../support/team/team-kill-loop.ts";

it("a team that is killed at any moment answers every message once and repeats no finished step [run.kill-exactly-one] [run.tools-not-repeated] [delivery.settle-atomic]", async () => {
  expect(await teamKillLoop(4, printedSeed("team kill loop"))).toMatch(/^4 kills, [1-9]\d* messages with a receipt/);
}, 120_000);
