import { expect, it } from "vitest";
import { createRecentMessages } from "../../../src/guard/context/recent-messages.ts";
import { person } from "../../../src/kernel/caller.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { callOk } from "../../support/team/project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";

it("what was said last is read once and then only added to, however much came in between", async () => {
  await using project = await openTeam();
  const recent = createRecentMessages();
  const say = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n += 1) await callOk(project, person, sendMessage, { to: "@review", message: `n${n}` });
  };
  const read = () => project.store.read((store) => recent.read(store, REVIEW));
  const fresh = () => project.store.read((store) => createRecentMessages().read(store, REVIEW));

  expect(await read()).toEqual(await fresh());
  await say(1, 10);
  const first = await read();
  await say(11, 12);
  const second = await read();
  expect(second).toEqual(await fresh());
  expect(second.messages.find(({ body }) => body === "n5")).toBe(first.messages.find(({ body }) => body === "n5"));
  for (const burst of [49, 99, 100, 101, 120]) {
    await say(1, burst);
    expect((await read()).total).toBe((await fresh()).total);
    expect((await read()).messages.slice(-100)).toEqual((await fresh()).messages.slice(-100));
  }
  expect(await project.store.read((store) => recent.read(store, "alice"))).toEqual({ messages: [], total: 0 });
});

it("as many messages are read as may fit, and never a whole history", async () => {
  await using project = await openTeam();
  for (let n = 1; n <= 320; n += 1) {
    await callOk(project, person, sendMessage, { to: "@review", message: `n${n} ${"word ".repeat(40)}` });
  }
  const read = (tokens: number) =>
    project.store.read((store) => createRecentMessages().read(store, REVIEW, { tokens }));
  const few = await read(2000);
  expect(few.total).toBe(320);
  expect(few.messages).toHaveLength(100);
  expect(few.messages.at(-1)?.body).toContain("n320 ");
  expect((await read(15_000)).messages).toHaveLength(200);
  expect((await read(100_000)).messages).toHaveLength(320);
});
