import { describe, expect, it } from "vitest";
import { showRunEvents } from "../../../src/cli/output/show-run-events.ts";
import type { Terminal } from "../../../src/cli/output/terminal.ts";
import { terminalText } from "../../../src/cli/output/visible-text.ts";
import type { RunEvent } from "../../../src/contract/service/work-request.ts";

interface Look {
  readonly colours?: boolean;
  readonly columns?: number;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

/** What a person (or a program) sees of these events. */
function shown(events: readonly RunEvent[], look: Look = {}): string {
  let out = "";
  const terminal: Terminal = {
    env: {},
    cwd: "/",
    colours: look.colours ?? false,
    columns: look.columns,
    interactive: false,
    progress: () => {},
    print: (text) => void (out += terminalText(text)),
    printContent: () => {},
    note: () => {},
    hint: (text) => text,
    status: () => {},
    stdin: async () => "",
    confirm: async () => false,
  };
  const show = showRunEvents(terminal, { json: look.json ?? false, verbose: look.verbose ?? false });
  for (const event of events) show(event);
  return out;
}

const message = (
  from: string,
  content: string,
  more: Partial<Extract<RunEvent, { type: "message" }>> = {},
): RunEvent => ({
  type: "message",
  id: "msg_1",
  seq: 1,
  from,
  to: null,
  kind: "message",
  content,
  resource: null,
  mentions: [],
  ...more,
});
const started: RunEvent = { type: "started", space: "@review:main", participants: ["alice", "bartholomew"] };

describe("the transcript of a run", () => {
  it("puts names in a column as wide as the longest, and further lines below the first", () => {
    expect(shown([started, message("alice", "one\n\n  two\n"), message("bartholomew", "three", { to: "alice" })])).toBe(
      "alice        one\n\n               two\nbartholomew  (to alice) three\n",
    );
  });

  it("shows tools in short, their refusals, and everything when it is verbose", () => {
    const events: RunEvent[] = [
      { type: "setup", text: "$ git diff" },
      { type: "setup", text: "a long diff" },
      { type: "step", agent: "alice", run: "run_1", number: 1 },
      { type: "tool_call", agent: "alice", tool: "write", args: { text: "x".repeat(200) } },
      { type: "tool_result", agent: "alice", tool: "write", content: "fine", isError: false },
      { type: "tool_result", agent: "alice", tool: "write", content: "no\nroom", isError: true },
      message("system", "It is decided.", { kind: "notice" }),
    ];
    const brief = shown(events).split("\n");
    expect(brief[0]).toBe("setup     $ git diff");
    expect(brief[1]).toMatch(/^alice {5}write \{"text":"x{90}…$/);
    expect(brief.slice(2)).toEqual(["alice     write was refused: no room", "system    It is decided.", ""]);
    const whole = shown(events, { verbose: true });
    expect(whole).toContain("setup     a long diff\n");
    expect(whole).toContain("alice     step 1\n");
    expect(whole).toContain("x".repeat(200));
    expect(whole).toContain("alice     write: fine\n");
  });

  it("shows what was written on the way once it is complete, and what was streamed and then said only once", () => {
    const chunk = (text: string): RunEvent => ({ type: "chunk", agent: "alice", text });
    const call: RunEvent = { type: "tool_call", agent: "alice", tool: "look", args: {} };
    expect(
      shown([chunk("Let me "), chunk("see."), call, chunk("All "), chunk("good."), message("alice", "All good.")]),
    ).toBe("alice     Let me see.\nalice     look {}\nalice     All good.\n");
  });

  it("breaks lines at the width of the terminal, and leaves code as it is", () => {
    const text = "a few words that do not fit on one line of this\n  indented code that is long stays on one line";
    expect(shown([message("alice", text)], { columns: 44 })).toBe(
      [
        "alice     a few words that do not fit on one",
        "          line of this",
        "            indented code that is long stays on one line",
        "",
      ].join("\n"),
    );
  });

  it("has one colour for each name, also where it is mentioned, and obeys no control character", () => {
    const out = shown([started, message("alice", "@bartholomew \u001b[31mred @nobody")], { colours: true });
    expect(out).toBe("\u001b[36malice\u001b[39m        \u001b[33m@bartholomew\u001b[39m \\x1b[31mred @nobody\n");
  });

  it("says where the whole of a long message is", () => {
    expect(shown([message("alice", "The beginning", { resource: "res_1" })])).toContain(
      "(the whole of it: agent-worker resource show res_1)",
    );
  });

  it("[cli.json] is one JSON object a line for programs, with everything", () => {
    const events = [started, message("alice", "hi"), { type: "chunk", agent: "alice", text: "x" } as const];
    const lines = shown(events, { json: true }).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(events);
  });
});
