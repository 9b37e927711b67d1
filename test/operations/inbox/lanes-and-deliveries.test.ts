import { expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { listDeliveries } from "../../../src/operations/inbox/list-deliveries.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { callOk, callRefused } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

it("[route.lane-override] a person can say how urgent a message is, whatever its target; an agent cannot", async () => {
  await using project = await openTeam();
  const lanes = async (data: { to: string; message: string; lane?: "immediate" | "normal" | "background" }) =>
    (await callOk(project, person, sendMessage, data)).recipients.map(({ lane }) => lane);
  expect(await lanes({ to: "alice", message: "when you have time", lane: "background" })).toEqual(["background"]);
  expect(await lanes({ to: "alice@review", message: "now", lane: "immediate" })).toEqual(["immediate"]);
  expect(await lanes({ to: "@review", message: "@alice @bob later", lane: "normal" })).toEqual(["normal", "normal"]);
  expect(await lanes({ to: "alice", message: "as ever" })).toEqual(["immediate"]);

  const alice = agentIn(REVIEW, "alice");
  const refused = await callRefused(project, alice, sendMessage, { message: "@bob!", lane: "immediate" });
  expect(refused.code).toBe("forbidden");
});

it("[route.lane-override] a repeated send answers the lane of the first", async () => {
  await using project = await openTeam();
  const send = { to: "alice", message: "once", lane: "background", idempotencyKey: "k" } as const;
  const first = await callOk(project, person, sendMessage, send);
  expect(await callOk(project, person, sendMessage, send)).toEqual({ ...first, duplicate: true });
});

it("what waits for everybody is listed, in one space or in all", async () => {
  await using project = await openTeam();
  await callOk(project, person, sendMessage, { to: "@review", message: "@bob @alice look" });
  await callOk(project, person, sendMessage, { to: "alice", message: "hello" });
  const listed = async (target?: string) =>
    (await callOk(project, person, listDeliveries, target === undefined ? {} : { target })).deliveries.map(
      ({ agent, message, state }) => `${agent} ${state} ${message.space}`,
    );
  expect((await listed()).toSorted()).toEqual([
    "alice pending @review:main",
    "alice pending alice",
    "bob pending @review:main",
  ]);
  expect(await listed("@review")).toEqual(["alice pending @review:main", "bob pending @review:main"]);
  expect(await listed("alice")).toEqual(["alice pending alice"]);
  expect((await callRefused(project, agentIn(REVIEW, "alice"), listDeliveries, {})).code).toBe("forbidden");
});
