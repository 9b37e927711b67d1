import { describe, expect, it } from "vitest";
import { agent, ChatScript, message } from "../../support/chat/chat-script.ts";

const COUNT = 10_000;
const MESSAGES = Array.from({ length: COUNT }, (_, at) =>
  message(at + 1, at % 2 === 0 ? "user" : "alice", `message number ${at + 1}\n\n- with a list\n- and \`code\``),
);

function longChat(): ChatScript {
  return new ChatScript().on(
    { type: "connection", connection: "connected" },
    { type: "team", agents: [agent("alice")], workspaces: [], workflows: [] },
    { type: "open", space: "alice" },
    { type: "messages", space: "alice", messages: MESSAGES },
    { type: "earlier", space: "alice", messages: [], more: false },
  );
}

describe("scrolling", () => {
  it("goes by lines and pages, and follows the end again [terminal.scroll]", () => {
    const chat = longChat();
    expect(chat.shown).toContain("message number 10000");
    chat.press("pageup");
    expect(chat.shown).not.toContain("message number 10000");
    chat.on({ type: "messages", space: "alice", messages: [message(COUNT + 1, "alice", "something new")] });
    expect(chat.shown).not.toContain("something new");
    chat.press("pagedown", "pagedown");
    expect(chat.shown).toContain("something new");
    const before = chat.lines;
    chat.press("up", "down");
    expect(chat.lines).toEqual(before);
  });

  it("shows every message on the way up, each line once [terminal.scroll]", () => {
    const chat = longChat();
    const seen = new Set<string>();
    for (let page = 0; page < 40; page += 1, chat.press("pageup")) {
      for (const line of chat.lines) for (const [found] of line.matchAll(/message number \d+/g)) seen.add(found);
    }
    const numbers = [...seen].map((text) => Number(text.split(" ").at(-1))).toSorted((a, b) => b - a);
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers[0]).toBe(COUNT);
    expect(numbers.at(-1)).toBe(COUNT - numbers.length + 1);
  });

  it("reaches the beginning and asks for what is earlier [terminal.scroll]", () => {
    const chat = longChat().press("home");
    expect(chat.shown).toContain("message number 1\n");
    expect(chat.lines[1]).toContain("user");
    const more = new ChatScript().on(
      { type: "open", space: "alice" },
      { type: "messages", space: "alice", messages: MESSAGES.slice(500) },
    );
    more.press("home");
    expect(more.effects.at(-1)).toEqual({ type: "load-earlier", space: "alice", before: 501 });
    const before = more.lines;
    more.on({ type: "earlier", space: "alice", messages: MESSAGES.slice(0, 500), more: false });
    expect(more.lines).toEqual(before);
  });

  it("finds a text, loads what is earlier until it is there, and goes to the next place [terminal.scroll]", () => {
    const chat = new ChatScript().on(
      { type: "open", space: "alice" },
      { type: "messages", space: "alice", messages: MESSAGES.slice(9000) },
    );
    chat.press("ctrl-f").type("number 42").press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "search", space: "alice", text: "number 42" });
    chat.on({ type: "found", text: "number 42", seqs: [9042, 42] });
    expect(chat.lines[1]).toContain("#9042");
    chat.press("ctrl-f");
    expect(chat.effects.at(-1)).toEqual({ type: "load-earlier", space: "alice", before: 9001 });
    chat.on({ type: "earlier", space: "alice", messages: MESSAGES.slice(0, 9000), more: false });
    expect(chat.lines[1]).toContain("#42");
    expect(chat.shown).toContain("2 of 2");
    chat.press("escape");
    expect(chat.state.search).toBeUndefined();
  });
});
