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
  expect(second.find(({ body }) => body === "n5")).toBe(first.find(({ body }) => body === "n5"));
  for (const burst of [49, 50, 51, 120]) {
    await say(1, burst);
    expect(await read()).toEqual(await fresh());
  }
  expect((await read()).map(({ body }) => body)).toEqual(Array.from({ length: 50 }, (_, i) => `n${71 + i}`));
  expect(await project.store.read((store) => recent.read(store, "alice"))).toEqual([]);
});
