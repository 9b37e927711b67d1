import { describe, expect, it } from "vitest";
import type { MessageView } from "../../../src/contract/messages.ts";
import type { Live } from "../../../web/src/connection/daemon-event.ts";
import { applyLiveEvent, withoutRun, type Drafts } from "../../../web/src/state/draft.ts";
import { groupMessages, mergeMessages } from "../../../web/src/state/message-list.ts";
import { createRefresher } from "../../../web/src/state/refresher.ts";
import { topicsOf } from "../../../web/src/state/topic.ts";
import { eventually } from "../../support/team/running-project.ts";

function message(seq: number, more: Partial<MessageView> = {}): MessageView {
  return {
    id: `msg_${seq}`,
    seq,
    space: "@review:main",
    from: "alice",
    onBehalfOf: null,
    to: null,
    kind: "message",
    content: String(seq),
    resource: null,
    mentions: [],
    cause: null,
    run: null,
    at: new Date(seq * 1000).toISOString(),
    ...more,
  };
}

describe("messages", () => {
  it("are in order and each once, in whatever pieces they come", () => {
    const merged = mergeMessages([message(1), message(4)], [message(3), message(4), message(2)]);
    expect(merged.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(mergeMessages(merged, [])).toBe(merged);
  });

  it("go on under one name, until somebody else, another day or something else comes", () => {
    const day = (at: string): string => at.slice(0, 10);
    const groups = groupMessages(
      [
        message(1),
        message(2),
        message(3, { from: "bob" }),
        message(4, { from: "bob", kind: "notice" }),
        message(4.5, { from: "bob", kind: "notice" }),
        message(5, { from: "bob" }),
        message(6, { from: "bob", to: "alice" }),
        message(90_000, { from: "bob", to: "alice" }),
      ],
      day,
    );
    expect(groups.map(({ continued }) => continued)).toEqual([false, true, false, false, true, false, false, false]);
    expect(groups.map(({ day: begun }) => begun !== undefined)).toEqual([true, ...Array<boolean>(6).fill(false), true]);
  });
});

describe("what an agent is saying and doing", () => {
  const who = { run: "run_1", space: "alice", agent: "alice" };
  const events: Live[] = [
    { ...who, type: "step", number: 1 },
    { ...who, type: "text", text: "Let me " },
    { ...who, type: "text", text: "see." },
    { ...who, type: "tool-call", id: "c1", tool: "bash", args: { command: "ls" } },
    { ...who, type: "step", number: 2 },
    { ...who, type: "tool-result", id: "c1", tool: "bash", content: "no", isError: true },
    { ...who, type: "tool-result", id: "c0", tool: "read", content: "yes", isError: false },
    { ...who, type: "text", text: "Hm." },
  ];

  it("is gathered as it comes, and forgotten with the run", () => {
    const drafts = events.reduce<Drafts>(applyLiveEvent, new Map());
    expect(drafts.get("run_1")).toEqual({
      ...who,
      text: "Let me see.\n\nHm.",
      calls: [
        { id: "c1", tool: "bash", args: '{"command":"ls"}', result: "no", failed: true },
        { id: "c0", tool: "read", args: "", result: "yes", failed: false },
      ],
    });
    expect(withoutRun(drafts, "run_1").size).toBe(0);
    expect(withoutRun(drafts, "run_2")).toBe(drafts);
  });
});

describe("asking again", () => {
  it("is decided by what an event is about", () => {
    expect(topicsOf({ type: "ballot.voted" })).toEqual(["ballots"]);
    expect(topicsOf({ type: "approval.requested" })).toEqual(["approvals", "runs", "agents"]);
    expect(topicsOf({ type: "something.new" })).toEqual([]);
  });

  it("happens once for a burst, after what is under way, and not after the end", async () => {
    let asked = 0;
    const answered: ((result: "complete") => void)[] = [];
    const refresher = createRefresher(() => {
      asked += 1;
      return new Promise((resolve) => void answered.push(resolve));
    }, 1);
    for (let i = 0; i < 5; i += 1) refresher.refresh();
    expect(asked).toBe(1);
    answered[0]?.("complete");
    await eventually("it asks once more", () => asked === 2);
    refresher.stop();
    answered[1]?.("complete");
    refresher.refresh();
    expect(asked).toBe(2);
  });

  it("happens without an event when not everything could be loaded", async () => {
    let asked = 0;
    const refresher = createRefresher(
      () => {
        asked += 1;
        return asked === 1
          ? Promise.reject(new Error("no answer"))
          : Promise.resolve(asked === 2 ? "incomplete" : "complete");
      },
      1,
      1,
    );
    refresher.refresh();
    await eventually("it asks until it has everything", () => asked === 3);
    refresher.stop();
    expect(asked).toBe(3);
  });
});
