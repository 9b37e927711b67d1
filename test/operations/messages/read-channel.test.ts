import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { peekChannel } from "../../../src/operations/messages/peek-channel.ts";
import { readChannel } from "../../../src/operations/messages/read-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { implementations } from "../../../src/operations/registry.gen.ts";
import { callOk, callRefused, openTestProject, type TestProject } from "../../support/team/project.ts";
import { agentIn, openTeam, REVIEW, TEAM } from "../../support/team/team.ts";

const alice = agentIn(REVIEW, "alice");

async function post(project: TestProject, texts: readonly string[]): Promise<number[]> {
  const seqs = [];
  for (const message of texts) seqs.push((await callOk(project, person, sendMessage, { to: "@review", message })).seq);
  return seqs;
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `message ${from + index}`);

describe.each([readChannel, peekChannel])("$name", (operation) => {
  const read = async (
    project: TestProject,
    data: { since?: number; before?: number; limit?: number; find?: string },
    target = "@review",
  ) => (await callOk(project, person, operation, { target, ...data })).messages.map(({ content }) => content);

  it("gives the last 50 messages, oldest first, unless another limit is asked for [message.read-limit]", async () => {
    await using project = await openTeam();
    await post(project, numbered(1, 60));
    expect(await read(project, {})).toEqual(numbered(11, 60));
    expect(await read(project, { limit: 3 })).toEqual(numbered(58, 60));
    expect(await read(project, { limit: 500 })).toEqual(numbered(1, 60));
    for (const limit of [0, 501, 1.5]) {
      expect(await callRefused(project, person, operation, { target: "@review", limit })).toMatchObject({
        code: "invalid",
      });
    }
  });

  it("gives what came after a message and nothing else, also within one millisecond [message.read-since]", async () => {
    await using project = await openTeam();
    const seqs = await post(project, numbered(1, 5));
    const third = seqs[2];
    if (third === undefined) throw new Error("not posted");
    expect(await read(project, { since: third })).toEqual(numbered(4, 5));
    expect(await read(project, { since: third, limit: 1 })).toEqual(["message 4"]);
    expect(await read(project, { since: seqs.at(-1) ?? 0 })).toEqual([]);
    await callOk(project, person, sendMessage, { to: "alice", message: "elsewhere" });
    expect(await read(project, { since: 0 })).toEqual(numbered(1, 5));
  });

  it("gives the last of what came before a message, page by page to the first [message.read-limit]", async () => {
    await using project = await openTeam();
    const seqs = await post(project, numbered(1, 7));
    const [, second, , , , sixth] = seqs;
    if (second === undefined || sixth === undefined) throw new Error("not posted");
    expect(await read(project, { before: sixth, limit: 3 })).toEqual(numbered(3, 5));
    expect(await read(project, { before: second, limit: 3 })).toEqual(["message 1"]);
    expect(await read(project, { before: seqs[0] ?? 0 })).toEqual([]);
    expect(await read(project, { since: second, before: sixth })).toEqual(numbered(3, 5));
    expect(await read(project, { find: "MESSAGE", before: sixth, limit: 2 })).toEqual(numbered(4, 5));
    for (const before of [0, -1, 1.5]) {
      expect(await callRefused(project, person, operation, { target: "@review", before })).toMatchObject({
        code: "invalid",
      });
    }
  });

  it("finds the messages that contain a text [message.find]", async () => {
    await using project = await openTeam();
    const [first] = await post(project, ["The Parser breaks", "nothing", "100% of_the parser", "a*b"]);
    expect(await read(project, { find: "parser" })).toEqual(["The Parser breaks", "100% of_the parser"]);
    expect(await read(project, { find: "parser", since: first ?? 0 })).toEqual(["100% of_the parser"]);
    for (const [find, found] of [
      ["%", 1],
      ["_", 1],
      ["*", 1],
      ["'", 0],
      ['" OR 1=1', 0],
    ] as const) {
      expect(await read(project, { find }), find).toHaveLength(found);
    }
  });

  it("reads where the caller may: a person anywhere, an agent in its own space", async () => {
    await using project = await openTeam();
    await post(project, ["here"]);
    await callOk(project, person, sendMessage, { to: "alice", message: "between us" });
    expect(await read(project, {}, "alice")).toEqual(["between us"]);
    expect((await callOk(project, alice, operation, {})).messages.map(({ content }) => content)).toEqual(["here"]);
    const dm = await callOk(project, agentIn("alice", "alice"), operation, {});
    expect(dm.messages.map(({ content }) => content)).toEqual(["between us"]);
    for (const target of ["bob", "@review:two", "alice"]) {
      expect(await callRefused(project, alice, operation, { target })).toMatchObject({ code: "forbidden" });
    }
    expect(await callRefused(project, person, operation, {})).toMatchObject({ code: "invalid" });
    expect(await callRefused(project, person, operation, { target: "@review:none" })).toMatchObject({
      code: "not_running",
    });
  });
});

describe("peeking", () => {
  it("shows what reading shows, and acks nothing [message.peek]", async () => {
    await using project = await openTeam();
    await post(project, ["@alice one", "@alice two"]);
    const before = project.published.length;
    const peeked = await callOk(project, alice, peekChannel, {});
    expect(peeked).toEqual(await callOk(project, person, readChannel, { target: "@review" }));
    expect((await callOk(project, alice, readInbox, {})).deliveries.map(({ state }) => state)).toEqual([
      "pending",
      "pending",
    ]);
    expect(project.published).toHaveLength(before);
  });
});

describe("the channel", () => {
  it("is never changed by any operation: what was accepted reads the same for ever [message.immutable]", async () => {
    await using first = await openTestProject({ files: TEAM });
    expect(
      Object.values(implementations)
        .map(({ name }) => name)
        .filter((name) => /message/.test(name)),
    ).toEqual(["send-message"]);
    await callOk(first, person, sendMessage, { to: "alice", message: "said" });
    const before = await callOk(first, person, peekChannel, { target: "alice" });
    await using project = await first.reopen();
    await callOk(project, person, sendMessage, { to: "alice", message: "more" });
    const after = await callOk(project, person, peekChannel, { target: "alice" });
    expect(after.messages.slice(0, 1)).toEqual(before.messages);
  });
});
