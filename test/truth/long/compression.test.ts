import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BY_MODEL,
  DECISION,
  modelOf,
  openLongChannels,
  textOf,
  type LongChannels,
} from "../../support/team/long-channel.ts";

let channels: LongChannels;
beforeAll(async () => {
  channels = await openLongChannels();
});
afterAll(() => channels?.[Symbol.asyncDispose]());

describe("a channel that is longer than a prompt", () => {
  it("is summarised by the guard's model where one is named, and no run waits for it [compress.model]", async () => {
    const space = await channels.startTeam("helped");
    const first = await channels.ask("helped", space, "@helped summarise");
    expect(first.prompt).toContain('by="rules"');
    await expect
      .poll(() => channels.model.requests.filter((each) => modelOf(each) === "small-model").length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(4);
    const asked = channels.model.requests.find((each) => modelOf(each) === "small-model");
    expect(asked === undefined ? "" : textOf(asked)).toContain(DECISION);
    let second = first;
    await expect
      .poll(async () => (second = await channels.ask("helped", space, "@helped again")).prompt, { timeout: 20_000 })
      .toContain(BY_MODEL);
    expect(second.prompt).toContain('by="small-model"');
  });

  it("is summarised by rules when the model fails, and the receipt says so [compress.model-fails]", async () => {
    channels.failSummaries();
    const space = await channels.startTeam("unhelped");
    await channels.ask("unhelped", space, "@unhelped summarise");
    await expect
      .poll(async () => JSON.stringify((await channels.ask("unhelped", space, "@unhelped again")).run.receipt), {
        timeout: 25_000,
      })
      .toContain("because the model failed");
    const { prompt, run } = await channels.ask("unhelped", space, "@unhelped and now");
    expect(prompt).toContain(DECISION);
    expect(prompt).not.toContain(BY_MODEL);
    expect((await channels.daemon.run(["runs", "show", run.id])).out).toContain("because the model failed");
  });
});

describe("a conversation that is longer than a prompt", () => {
  it("is counted and summarised like a channel [compress.conversation]", async () => {
    const filler = "and so on and on ".repeat(30);
    for (let n = 1; n <= 60; n += 1) {
      const message = n === 3 ? DECISION : `Number ${n} of our conversation, ${filler}`;
      expect(await channels.daemon.client.call("send-message", { to: "direct", message })).toMatchObject({ ok: true });
    }
    let prompt = "";
    await expect
      .poll(async () => (prompt = (await channels.ask("direct", "direct", "What did we decide?")).prompt), {
        timeout: 25_000,
      })
      .toMatch(/<summary messages="\d{4}-[^"]+ to \d{4}-[^"]+" count="50" by="rules"/);
    expect(prompt).toContain(DECISION);
    expect(prompt).toMatch(/<conversation omitted="\d+" from="[^"]+" read="memory_recall finds them">/);
  });
});
