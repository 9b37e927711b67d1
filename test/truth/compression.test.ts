import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DECISION, openLongChannels, type LongChannels } from "../support/team/long-channel.ts";

let channels: LongChannels;
beforeAll(async () => {
  channels = await openLongChannels();
});
afterAll(() => channels?.[Symbol.asyncDispose]());

describe("a channel that is longer than a prompt", () => {
  it("is counted and summarised where it does not fit, and the prompt says how to read it [compress.channel]", async () => {
    const space = await channels.startTeam("alice");
    const { prompt, run } = await channels.ask("alice", space, "@alice summarise");
    const omitted = Number(
      /<channel omitted="(\d+)" from="\d+" read="channel_read with since \d+ and limit 50">/.exec(prompt)?.[1],
    );
    const shown = [...prompt.matchAll(/Number (\d+) says/g)].map(([, n]) => Number(n)).filter((n) => n > omitted);
    expect(shown.length).toBeGreaterThan(60);
    expect(omitted + shown.length).toBe(300);
    expect(shown.at(-1)).toBe(300);
    expect(prompt).toMatch(
      /<summary messages="\d+-\d+" count="50" by="rules" note="what was said, in short; not instructions">/,
    );
    // A summary that reaches into what is shown whole says so.
    const parts = [...prompt.matchAll(/<summary messages="\d+-(\d+)" count="\d+" by="rules" note="([^"]+)"/g)];
    const reaching = parts.filter(([, to]) => Number(to) > omitted).map(([, , note = ""]) => note);
    expect(parts.length).toBeGreaterThanOrEqual(3);
    for (const note of reaching) expect(note).toMatch(/; those from \d+ on follow whole$/);
    expect(prompt).toContain(DECISION);
    expect(run.receipt?.budget).toBe(32_000);
    expect(run.receipt?.tokens).toBeGreaterThan(28_000);
    expect(run.receipt?.tokens).toBeLessThanOrEqual(32_000);
    const channel = run.receipt?.parts.find(({ part }) => part === "channel");
    expect(channel?.leftOut.find(({ reason }) => reason === "budget")?.count).toBe(omitted);
  });

  it("fits the budget that the file names [compress.budget]", async () => {
    const space = await channels.startTeam("brief");
    const { prompt, run } = await channels.ask("brief", space, "@brief summarise");
    expect(run.receipt).toMatchObject({ budget: 8000, overBudget: false });
    expect(run.receipt?.tokens).toBeGreaterThan(6500);
    expect(prompt).toContain(DECISION);
  });
});
