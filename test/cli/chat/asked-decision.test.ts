import { describe, expect, it } from "vitest";
import type { DeliveryView } from "../../../src/contract/inbox.ts";
import type { WaitingDecision } from "../../../src/cli/chat/model/decision.ts";
import { agent, approval, ChatScript, message, workspace } from "../../support/chat/chat-script.ts";

/** Which of several decisions an answer is for, and that a person has seen what it decides. */
const DUO = "@duo:main";

function inDuo(size = { columns: 80, rows: 24 }): ChatScript {
  return new ChatScript(size).on(
    { type: "connection", connection: "connected" },
    {
      type: "team",
      agents: [agent("ann"), agent("ben")],
      workspaces: [workspace("duo", ["ann", "ben"])],
      workflows: ["duo"],
    },
    { type: "open", space: DUO },
    { type: "messages", space: DUO, messages: [message(1, "user", "@ann @ben go", { space: DUO })] },
    { type: "earlier", space: DUO, messages: [], more: false },
  );
}

const command: WaitingDecision = {
  kind: "approval",
  id: "apr_ann",
  space: DUO,
  view: approval("apr_ann", { command: "touch UNSEEN" }, { agent: "ann", space: DUO }),
};
const LINES = Array.from({ length: 61 }, (_, at) => `row ${at + 1}`);
const file: WaitingDecision = {
  kind: "approval",
  id: "apr_ben",
  space: DUO,
  view: approval(
    "apr_ben",
    { path: "long.txt", content: LINES.join("\n") },
    { agent: "ben", space: DUO, tool: "write_file" },
  ),
};

function deadLetter(id: string, to: string, text: string): WaitingDecision {
  const view: DeliveryView = {
    id,
    agent: to,
    lane: "normal",
    state: "dead",
    attempts: 3,
    reason: "no answer",
    message: message(9, "user", text, { space: to }),
  };
  return { kind: "dead", id, space: to, view };
}

const decided = (chat: ChatScript): string[] =>
  chat.effects.flatMap((each) =>
    each.type === "decide"
      ? [`${each.decision.id} ${typeof each.answer === "string" ? each.answer : each.answer.option}`]
      : [],
  );

describe("several decisions", () => {
  it("are asked one at a time: an answer is for the one that is shown whole at the end [terminal.decide]", () => {
    const chat = inDuo()
      .on({ type: "decisions", decisions: [command, file] })
      .wait(1000);
    expect(chat.shown).toContain("┃ $ touch UNSEEN");
    expect(chat.shown).toContain("│ ben asks to call a tool");
    expect(chat.shown).not.toContain("row 5");
    chat.type("y").press("return");
    expect(decided(chat)).toEqual(["apr_ann yes"]);
    // The next is asked now, and takes no answer at once.
    expect(chat.shown).toContain("row 5");
    chat.type("y").press("return");
    expect(decided(chat)).toEqual(["apr_ann yes"]);
  });

  it("are left for later with Esc, and the next one is asked [terminal.decide]", () => {
    const chat = inDuo()
      .on({ type: "decisions", decisions: [file, command] })
      .wait(1000)
      .press("escape")
      .wait(1000);
    expect(chat.shown).toContain("┃ $ touch UNSEEN");
    expect(chat.shown).toContain("waits for you: Esc, or /approve apr_ben or /deny apr_ben");
    chat.type("n").press("return");
    expect(decided(chat)).toEqual(["apr_ann no"]);
    chat.type("/approve").press("return");
    expect(decided(chat)).toEqual(["apr_ann no"]);
    expect(chat.shown).toContain("Say which: /approve ID");
  });

  it("are not decided while they are scrolled away [terminal.decide]", () => {
    const more = Array.from({ length: 40 }, (_, at) => message(at + 2, "ann", `line ${at}`, { space: DUO }));
    const chat = inDuo()
      .on({ type: "messages", space: DUO, messages: more }, { type: "decisions", decisions: [command] })
      .wait(1000)
      .press("pageup");
    expect(chat.shown).not.toContain("UNSEEN");
    chat.type("y").press("return");
    expect(decided(chat)).toEqual([]);
    expect(chat.shown).toContain("UNSEEN");
    chat.press("return");
    expect(decided(chat)).toEqual(["apr_ann yes"]);
  });
});

describe("a message", () => {
  it("that begins with the letter of an answer is a message [terminal.decide]", () => {
    const chat = inDuo()
      .on({ type: "decisions", decisions: [command] })
      .wait(1000)
      .type("now fix the tests")
      .press("return");
    expect(decided(chat)).toEqual([]);
    expect(chat.effects.at(-1)).toEqual({ type: "send", space: DUO, text: "now fix the tests" });
  });

  it("that was begun before something was asked decides nothing at once [terminal.decide]", () => {
    const chat = inDuo()
      .type("y")
      .on({ type: "decisions", decisions: [command] })
      .wait(5000)
      .press("return");
    expect(decided(chat)).toEqual([]);
    expect(chat.shown).toContain("Press Enter again: this came while you were writing.");
  });

  it("to one agent never decides what belongs to another, unless the person called it [terminal.decide]", () => {
    const letter = deadLetter("dlv_1", "reviewer", "please review");
    const chat = inDuo({ columns: 40, rows: 12 })
      .on({ type: "decisions", decisions: [letter] })
      .wait(1000)
      .type("n")
      .press("return");
    expect(chat.effects.at(-1)).toMatchObject({ type: "send", text: "n" });
    chat.press("escape").wait(1000);
    expect(chat.shown).toContain("please review");
    chat.type("n");
    expect(chat.shown).toContain("Enter gives up on this message for");
    expect(decided(chat)).toEqual([]);
    chat.press("return");
    expect(decided(chat)).toEqual(["dlv_1 no"]);
  });
});

describe("a decision that does not fit", () => {
  it("begins on the screen, says how to see the rest, and is allowed when its end was read [terminal.decide]", () => {
    const chat = inDuo()
      .on({ type: "decisions", decisions: [file] })
      .wait(1000);
    expect(chat.shown).toContain("ben asks to call a tool");
    expect(chat.shown).toMatch(/row 1$/m);
    expect(chat.shown).toMatch(/… \d+ more lines: Enter shows all/);
    chat.type("y").press("return");
    expect(decided(chat)).toEqual([]);
    expect(chat.shown).toContain("Not all of it was on the screen.");
    // Half of it is not all of it.
    chat.press("pagedown").type("y").press("return");
    expect(decided(chat)).toEqual([]);
    for (let page = 0; page < 6; page += 1) chat.press("pagedown");
    expect(chat.shown).toMatch(/row 61$/m);
    expect(chat.shown).toContain("This is its end");
    chat.type("y").press("return");
    expect(decided(chat)).toEqual(["apr_ben yes"]);
  });

  it("is refused without reading on, and opened by Enter alone [terminal.decide]", () => {
    const chat = inDuo({ columns: 40, rows: 12 })
      .on({ type: "decisions", decisions: [file] })
      .wait(1000)
      .press("return");
    expect(chat.shown).toContain("What waits for you");
    chat.press("escape").type("n").press("return");
    expect(decided(chat)).toEqual(["apr_ben no"]);
  });

  it("is allowed by its id at any time [terminal.decide]", () => {
    const chat = inDuo().on({ type: "decisions", decisions: [file] });
    chat.type("/approve apr_ben").press("return");
    expect(decided(chat)).toEqual(["apr_ben yes"]);
  });
});
