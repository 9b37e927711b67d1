import { describe, expect, it } from "vitest";
import { agent, approval, ChatScript, message, workspace } from "../../support/chat/chat-script.ts";

const TEAM = {
  type: "team" as const,
  agents: [agent("alice"), agent("bob")],
  workspaces: [workspace("review", ["alice", "bob"])],
  workflows: ["review", "triage"],
};

/** A chat with alice that is connected and has one message. */
function withAlice(): ChatScript {
  return new ChatScript().on(
    { type: "connection", connection: "connected" },
    TEAM,
    { type: "open", space: "alice" },
    { type: "messages", space: "alice", messages: [message(1, "user", "hello")] },
    { type: "earlier", space: "alice", messages: [], more: false },
  );
}

function asks(id: string, more = {}) {
  const view = approval(id, { command: "rm -rf build" }, more);
  return { kind: "approval" as const, id, space: view.space, view };
}

describe("writing", () => {
  it("writes into the input what is typed while a page is open, and decides nothing unseen by it [terminal.input]", () => {
    const chat = withAlice().type("/help").press("return");
    chat.on({ type: "decisions", decisions: [asks("apr_1")] }).type("yes, go");
    expect(chat.state.panes[0]?.draft.text).toBe("yes, go");
    expect(chat.effects.filter(({ type }) => type === "decide")).toEqual([]);
    chat.press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "send", space: "alice", text: "yes, go" });
    chat.type("/help").press("return").type("q");
    expect(chat.state).toMatchObject({ page: undefined, panes: [{ draft: { text: "" } }] });
  });

  it("sends with Enter, and takes several lines [terminal.input]", () => {
    const chat = withAlice()
      .type("first")
      .press("newline")
      .type("second\\")
      .press("return")
      .type("third")
      .press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "send", space: "alice", text: "first\nsecond\nthird" });
    expect(chat.state.panes[0]?.draft.text).toBe("");
  });

  it("moves and removes by characters that are drawn as one, words and lines [terminal.input]", () => {
    const chat = withAlice().type("漢👩‍👩‍👧 word").press("ctrl-w", "backspace", "backspace");
    expect(chat.state.panes[0]?.draft.text).toBe("漢");
    chat.type(" two").press("ctrl-a").type("x").press("ctrl-e").type("y");
    expect(chat.state.panes[0]?.draft.text).toBe("x漢 twoy");
    chat.press("ctrl-u");
    expect(chat.state.panes[0]?.draft.text).toBe("");
  });

  it("completes names, commands and paths with Tab [terminal.input]", () => {
    const chat = withAlice().on({ type: "open", space: "@review:main" }).type("hey @bo");
    expect(chat.shown).toContain("@bob");
    chat.press("tab");
    expect(chat.state.panes[1]?.draft.text).toBe("hey @bob ");
    chat.press("ctrl-u").type("/mem").press("tab");
    expect(chat.state.panes[1]?.draft.text).toBe("/memory ");
    chat.press("ctrl-u").type("see @src/m");
    expect(chat.effects.at(-1)).toEqual({ type: "find-paths", beginning: "src/m" });
    chat.on({ type: "paths", beginning: "src/m", found: ["src/main.ts"] }).press("tab");
    expect(chat.state.panes[1]?.draft.text).toBe("see @src/main.ts ");
  });

  it("keeps below the messages what it said before they were there [terminal.chat]", () => {
    const chat = new ChatScript().on(
      { type: "open", space: "alice" },
      { type: "note", space: "alice", text: "Sent with a.txt.", style: "dim" },
      { type: "messages", space: "alice", messages: [message(1, "user", "hello")] },
    );
    expect(chat.shown).toMatch(/hello[^]*Sent with a\.txt\./);
  });

  it("completes a path with spaces in quotes, folder by folder [terminal.input]", () => {
    const chat = withAlice()
      .type("see @sub")
      .on({ type: "paths", beginning: "sub", found: ["sub dir/"] })
      .press("tab");
    expect(chat.state.panes[0]?.draft.text).toBe('see @"sub dir/');
    expect(chat.effects.at(-1)).toEqual({ type: "find-paths", beginning: "sub dir/" });
    chat.on({ type: "paths", beginning: "sub dir/", found: ["sub dir/a b.txt"] }).press("tab");
    expect(chat.state.panes[0]?.draft.text).toBe('see @"sub dir/a b.txt" ');
  });

  it("names files with mistakes until they are mended [terminal.chat]", () => {
    const problems = [".agents/bad.yaml:1: prompt is missing."];
    const chat = withAlice().on({ ...TEAM, problems });
    expect(chat.shown).toContain(".agents/bad.yaml:1: prompt is missing.");
    expect(chat.on(TEAM).shown).not.toContain("bad.yaml");
    const empty = new ChatScript().on(
      { type: "connection", connection: "connected" },
      { type: "team", agents: [], workspaces: [], workflows: [], problems },
    );
    expect(empty.shown).toMatch(/bad\.yaml:1[^]*No file of this project can be used/);
  });

  it("brings back what was sent, and what was not accepted [terminal.input]", () => {
    const chat = withAlice().type("one").press("return").type("two").press("return").press("ctrl-p", "ctrl-p");
    expect(chat.state.panes[0]?.draft.text).toBe("one");
    chat.press("ctrl-n", "ctrl-n");
    expect(chat.state.panes[0]?.draft.text).toBe("");
    chat.on({ type: "refused", space: "alice", text: "lost?" });
    expect(chat.state.panes[0]?.draft.text).toBe("lost?");
  });

  it("knows its commands, and says what it does not know [terminal.chat]", () => {
    const chat = withAlice().type("/nonsense").press("return");
    expect(chat.shown).toContain("There is no command /nonsense");
    chat.type("/stop bob").press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "command", name: "stop", words: ["bob"], text: "bob", space: "alice" });
    chat.type("//really").press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "send", space: "alice", text: "/really" });
    chat.type("/usr/bin is full").press("return");
    expect(chat.effects.at(-1)).toMatchObject({ type: "send", text: "/usr/bin is full" });
    chat.type("/help").press("return");
    expect(chat.shown).toContain("Alt-1 … Alt-9");
    chat.press("escape").type("/quit").press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "quit" });
  });

  it("ends with Ctrl-C only the second time, and empties the input first", () => {
    const chat = withAlice().type("half").press("ctrl-c");
    expect(chat.state.panes[0]?.draft.text).toBe("");
    chat.press("ctrl-c");
    expect(chat.effects).not.toContainEqual({ type: "quit" });
    expect(chat.shown).toContain("the work goes on");
    chat.press("ctrl-c");
    expect(chat.effects).toContainEqual({ type: "quit" });
  });
});

describe("a project without agents", () => {
  it("says what makes a team, and opens the first agent when there is one [terminal.chat]", () => {
    const chat = new ChatScript().on(
      { type: "connection", connection: "connected" },
      { type: "team", agents: [], workspaces: [], workflows: [] },
    );
    expect(chat.shown).toContain("agent-worker init");
    chat.type("hello");
    expect(chat.shown).toContain("Nobody is here to write to. agent-worker init makes a team");
    chat.on({ type: "team", agents: [agent("alice")], workspaces: [], workflows: [] });
    chat.type("hello").press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "send", space: "alice", text: "hello" });
    chat.type("/close").press("return");
    expect(chat.shown).toContain("This is the only pane.");
    expect(chat.state.panes).toHaveLength(1);
  });
});

describe("decisions", () => {
  it("show a command as a command, and y decides when it has been seen [terminal.decide]", () => {
    const chat = withAlice().on({ type: "decisions", decisions: [asks("apr_1")] });
    expect(chat.shown).toContain("$ rm -rf build");
    chat.type("y").press("return");
    expect(chat.effects.some(({ type }) => type === "decide")).toBe(false);
    expect(chat.state.panes[0]?.draft.text).toBe("y");
    expect(chat.shown).toContain("Press Enter again: this came just now.");
    chat.press("backspace").wait(1000);
    expect(chat.shown).toContain("y yes · n no · r until this run ends · a always · then Enter · Esc later");
    chat.type("y");
    expect(chat.shown).toContain("Enter allows alice to call bash. Go on typing: a message.");
    expect(chat.effects.some(({ type }) => type === "decide")).toBe(false);
    chat.press("return");
    expect(chat.effects.at(-1)).toMatchObject({ type: "decide", answer: "yes", decision: { id: "apr_1" } });
    expect(chat.shown).not.toContain("rm -rf build");
  });

  it("take no key while something is written, nor from a paste [terminal.decide]", () => {
    const chat = withAlice()
      .on({ type: "decisions", decisions: [asks("apr_1")] })
      .wait(1000);
    chat.on({ type: "key", key: { kind: "text", text: "y", pasted: true } }).type("n");
    expect(chat.state.panes[0]?.draft.text).toBe("yn");
    expect(chat.effects.some(({ type }) => type === "decide")).toBe(false);
  });

  it("are allowed always only when the rule was shown, and for the run at once [terminal.decide]", () => {
    const view = {
      agent: "alice",
      file: ".agents/alice.yaml",
      patterns: ["bash(rm -rf build)"],
      before: "name: alice\n",
      after: "name: alice\npermissions: { allow: [bash(rm -rf build)] }\n",
    };
    const answers = (chat: ChatScript) => chat.effects.flatMap((each) => (each.type === "decide" ? [each.answer] : []));
    const chat = withAlice()
      .on({ type: "decisions", decisions: [asks("apr_1")] })
      .wait(1000)
      .type("a")
      .press("return");
    expect(chat.effects.at(-1)).toMatchObject({ type: "preview-rule", decision: { id: "apr_1" } });
    chat.on({ type: "rule", id: "apr_1", view });
    expect(chat.shown).toContain("+ permissions: { allow: [bash(rm -rf build)] }");
    // A key that was meant for what was on the screen before writes nothing.
    chat.type("y").press("return");
    expect(answers(chat)).toEqual([]);
    chat.press("backspace").wait(1000).type("n").press("return");
    expect(chat.shown).toContain("$ rm -rf build");
    chat.type("a").press("return").on({ type: "rule", id: "apr_1", view }).wait(1000).type("y").press("return");
    expect(answers(chat)).toEqual(["always"]);
    const other = withAlice()
      .on({ type: "decisions", decisions: [asks("apr_2")] })
      .wait(1000)
      .type("r")
      .press("return");
    expect(answers(other)).toEqual(["run"]);
  });

  it("leave no call that looks at work when a run has ended without an answer to it [terminal.chat]", () => {
    const live = { run: "run_1", space: "alice", agent: "alice" };
    const chat = withAlice().on({
      type: "live",
      event: { ...live, type: "tool-call", id: "c", tool: "bash", args: { command: "ls" } },
    });
    expect(chat.shown).toContain("… alice: bash $ ls");
    chat.on({ type: "run-ended", run: "run_1" });
    expect(chat.shown).toContain("– alice: bash $ ls");
    chat
      .on({ type: "live", event: { ...live, type: "tool-call", id: "d", tool: "bash", args: { command: "pwd" } } })
      .on({ type: "connection", connection: "lost" });
    expect(chat.shown).not.toContain("pwd");
  });

  it("wait for later with Esc, and are decided by command [terminal.decide]", () => {
    const chat = withAlice()
      .on({ type: "decisions", decisions: [asks("apr_1")] })
      .wait(1000)
      .press("escape")
      .type("yes, soon")
      .press("return");
    expect(chat.effects.at(-1)).toMatchObject({ type: "send", text: "yes, soon" });
    chat.type("/deny apr_1 not on this branch").press("return");
    expect(chat.effects.at(-1)).toMatchObject({ type: "decide", answer: "no", reason: "not on this branch" });
  });

  it("mark the pane they belong to [terminal.decide]", () => {
    const chat = withAlice().on({ type: "open", space: "bob" }, { type: "decisions", decisions: [asks("apr_1")] });
    expect(chat.lines[0]).toContain("1 alice!");
    expect(chat.shown).toContain("alice waits for you.");
  });
});

describe("panes", () => {
  it("show unread messages, and go by key [terminal.chat]", () => {
    const chat = withAlice().on(
      { type: "open", space: "@review:main" },
      { type: "messages", space: "alice", messages: [message(2, "alice", "done")] },
    );
    expect(chat.lines[0]).toContain("1 alice (1)");
    chat.press("alt-1");
    expect(chat.lines[0]).not.toContain("(1)");
    expect(chat.shown).toContain("done");
    chat.press("tab");
    expect(chat.state.current).toBe(1);
  });

  it("stand side by side where there is room [terminal.chat]", () => {
    const chat = withAlice().on(
      { type: "resize", size: { columns: 100, rows: 24 } },
      { type: "open", space: "bob" },
      { type: "messages", space: "bob", messages: [message(5, "bob", "here is bob", { space: "bob" })] },
    );
    chat.press("ctrl-t");
    expect(
      chat.lines.some((line) => line.includes("hello") && line.includes("│") && line.includes("here is bob")),
    ).toBe(true);
    chat.on({ type: "resize", size: { columns: 60, rows: 24 } });
    expect(chat.shown).not.toContain("hello");
  });

  it("show the answer to a call that was made before the chat was open [terminal.chat]", () => {
    const live = { run: "run_1", space: "alice", agent: "alice" };
    const answer = { type: "tool-result", id: "c1", tool: "bash", content: "a.ts", isError: false } as const;
    const chat = withAlice().on({ type: "live", event: { ...live, ...answer } });
    expect(chat.shown).toContain("✓ alice: bash");
    chat.on(
      { type: "messages", space: "alice", messages: [message(2, "alice", "Done.", { run: "run_1" })] },
      { type: "run-ended", run: "run_1" },
    );
    expect(chat.shown).toContain("✓ alice: bash");
  });

  it("keep words and calls of a run until it speaks, and the calls after it [terminal.chat]", () => {
    const live = { run: "run_1", space: "alice", agent: "alice" };
    const chat = withAlice().on(
      { type: "live", event: { ...live, type: "tool-call", id: "c1", tool: "bash", args: { command: "ls" } } },
      {
        type: "live",
        event: { ...live, type: "tool-result", id: "c1", tool: "bash", content: "a.ts", isError: false },
      },
      { type: "live", event: { ...live, type: "text", text: "It is **there**" } },
    );
    expect(chat.shown).toContain("✓ alice: bash $ ls");
    expect(chat.shown).toContain("It is there");
    chat.on(
      { type: "messages", space: "alice", messages: [message(2, "alice", "It is **there**.", { run: "run_1" })] },
      { type: "run-ended", run: "run_1" },
    );
    expect(chat.shown.match(/It is there/g)).toHaveLength(1);
    expect(chat.shown).toContain("✓ alice: bash $ ls");
    chat.press("ctrl-o");
    expect(chat.shown).toContain("    a.ts");
  });

  it("open and close by command, with what can be started said [terminal.chat]", () => {
    const chat = withAlice().type("/open bob").press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "load", space: "bob" });
    chat.type("/close").press("return");
    expect(chat.state.panes.map(({ space }) => space)).toEqual(["alice"]);
    chat.type("/open triage").press("return");
    expect(chat.effects.at(-1)).toEqual({ type: "open-named", name: "@triage" });
  });
});

describe("the status", () => {
  it("says who works on what, with seconds, and that the daemon is gone [terminal.survives]", () => {
    const since = new Date(1_000_000 - 12_000).toISOString();
    const work = { run: "run_1", space: "@review:main", message: "please check the login", since };
    const chat = withAlice().on({ ...TEAM, agents: [agent("alice", { state: "running", work })] });
    expect(chat.shown).toContain('alice in @review works on "please check the login", 12 s');
    chat.on({ type: "connection", connection: "lost" });
    expect(chat.shown).toContain("The daemon is gone");
  });

  it("fits 80 columns and 24 rows, and any other size [terminal.survives]", () => {
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 20, rows: 6 },
      { columns: 200, rows: 60 },
    ]) {
      const chat = withAlice().on({ type: "resize", size }).type("a long text ".repeat(20));
      expect(chat.lines).toHaveLength(size.rows);
      for (const line of chat.lines) expect(line.length).toBeLessThanOrEqual(size.columns);
    }
  });
});
