import { describe, expect, it } from "vitest";
import { markdownLines } from "../../../src/cli/chat/view/markdown-lines.ts";
import { plainText, type Style } from "../../../src/cli/screen/span.ts";

const shown = (text: string, columns = 60): string[] => markdownLines(text, columns, new Set(["bob"])).map(plainText);
const styleOf = (text: string, part: string): Style | undefined =>
  markdownLines(text, 60, new Set(["bob"]))
    .flat()
    .find((span) => span.text.includes(part))?.style;

describe("Markdown in a terminal", () => {
  it("shows headings, lists, quotes, rules and code by their look [terminal.chat]", () => {
    expect(shown("# Title\n\n- one\n  - two\n1. three\n\n> quoted\n\n---\n\n```ts\nconst a = 1;\n```")).toEqual([
      "Title",
      "",
      "• one",
      "  • two",
      "1. three",
      "",
      "│ quoted",
      "",
      "─".repeat(40),
      "",
      "│ const a = 1;",
    ]);
  });

  it("colours code and diffs, and names that are called [terminal.chat]", () => {
    expect(styleOf("```ts\nconst a = 'x'; // why\n```", "const")).toBe("keyword");
    expect(styleOf("```ts\nconst a = 'x'; // why\n```", "'x'")).toBe("string");
    expect(styleOf("```ts\nconst a = 'x'; // why\n```", "// why")).toBe("dim");
    expect(styleOf("```diff\n+added\n-removed\n```", "+added")).toBe("good");
    expect(styleOf("```diff\n+added\n-removed\n```", "-removed")).toBe("bad");
    expect(styleOf("**strong** text", "strong")).toBe("bold");
    expect(styleOf("use `this`", "this")).toBe("code");
    expect(styleOf("ask @bob", "@bob")).toMatch(/^name\d$/);
    expect(styleOf("ask @nobody", "@nobody")).toBe("plain");
  });

  it("looks the same while it is still written, and wraps with hanging lines", () => {
    expect(shown("```diff\n+ half")).toEqual(["│ + half"]);
    expect(shown("- a list item that is longer than the line", 20).map((line) => line.trimEnd())).toEqual([
      "• a list item that",
      "  is longer than the",
      "  line",
    ]);
  });

  it("obeys nothing that is in the text", () => {
    expect(shown("\u001b[31mred\u001b[0m")).toEqual(["\\x1b[31mred\\x1b[0m"]);
  });
});
