import { expect, it } from "vitest";
import { fanOut, pingPong } from "../support/team/mentions-at-work.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 1_000);
const HOPS = Number(process.env["HOPS"] ?? 1_000);

it(`${ROUNDS} rounds of five agents mentioned at once: one run each, none lost and none twice [loop.wake]`, async () => {
  expect(await fanOut(5, ROUNDS)).toBe(`5 agents, ${ROUNDS} rounds, ${5 * ROUNDS} runs`);
});

it(`${HOPS} hops of mentions between two agents, each answered once [loop.wake-while-busy]`, async () => {
  const { longestGapMs } = await pingPong(HOPS);
  console.log(`ping-pong: ${HOPS} hops, the longest gap ${longestGapMs.toFixed(1)} ms`);
  expect(longestGapMs).toBeLessThan(4_000);
});
