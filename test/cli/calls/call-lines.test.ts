import { describe, expect, it } from "vitest";
import { callLines, callSummary } from "../../../src/cli/calls/call-lines.ts";
import { diffTexts } from "../../../src/cli/calls/line-diff.ts";
import { plainText } from "../../../src/cli/screen/span.ts";

const shown = (tool: string, args: unknown): string[] => callLines(tool, args).map(plainText);

describe("a tool call", () => {
  it("with a command is shown as a command [terminal.full]", () => {
    expect(shown("bash", { command: "npm test\nls", description: "Run the tests" })).toEqual([
      "bash Run the tests",
      "$ npm test",
      "  ls",
    ]);
    expect(shown("shell", { command: ["git", "commit", "-m", "it's done"] })[1]).toBe(
      `$ git commit -m 'it'\\''s done'`,
    );
    expect(callSummary('{"command":"ls"}')).toBe("$ ls");
  });

  it("with an edit is shown as a diff, whatever a program calls its fields [terminal.full]", () => {
    const old = "one\ntwo\nthree";
    const fresh = "one\n2\nthree";
    const expected = ["  one", "- two", "+ 2", "  three"];
    expect(shown("Edit", { file_path: "a.ts", old_string: old, new_string: fresh })).toEqual([
      "Edit a.ts +1 -1",
      ...expected,
    ]);
    expect(shown("edit", { path: "a.ts", oldText: old, newText: fresh }).slice(1)).toEqual(expected);
    expect(shown("multi", { filePath: "a.ts", edits: [{ oldString: old, newString: fresh }] }).slice(1)).toEqual(
      expected,
    );
    expect(shown("acp", { title: "Edit", rawInput: { path: "a.ts", old_str: old, new_str: fresh } }).slice(1)).toEqual(
      expected,
    );
  });

  it("that writes a file adds its lines, and a patch is one [terminal.full]", () => {
    expect(shown("Write", { file_path: "new.ts", content: "a\nb\n" })).toEqual(["Write new.ts +2 -0", "+ a", "+ b"]);
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n*** End Patch";
    expect(shown("apply_patch", { input: patch })).toEqual([
      "apply_patch a.ts +1 -1",
      "  *** Begin Patch",
      "  *** Update File: a.ts",
      "  @@",
      "- old",
      "+ new",
      "  *** End Patch",
    ]);
  });

  it("with other fields is shown by them, and with anything else as it is", () => {
    expect(shown("todo_add", { text: "look", tags: ["a"] })).toEqual([
      "todo_add",
      "text: look",
      "tags: [",
      '    "a"',
      "  ]",
    ]);
    expect(shown("odd", '{"command": "cut off')).toEqual(["odd", '{"command": "cut off']);
    expect(shown("none", undefined)).toEqual(["none", ""]);
  });
});

describe("a difference", () => {
  it("keeps a few lines around a change and leaves out the rest", () => {
    const before = Array.from({ length: 30 }, (_, at) => `line ${at}`);
    const after = before.with(15, "changed");
    const lines = diffTexts(before.join("\n"), after.join("\n"));
    expect(lines.map(({ sign, text }) => `${sign}${text}`)).toEqual([
      " line 12",
      " line 13",
      " line 14",
      "-line 15",
      "+changed",
      " line 16",
      " line 17",
      " line 18",
    ]);
  });

  it("of large texts is found at once", () => {
    const before = Array.from({ length: 5000 }, (_, at) => `a${at}`).join("\n");
    const after = Array.from({ length: 5000 }, (_, at) => `b${at}`).join("\n");
    expect(diffTexts(before, after)).toHaveLength(10_000);
  });
});
