import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown, type Block, type Inline } from "../../../web/src/text/markdown.ts";
import { HOSTILE } from "../../support/page/page-team.ts";

function textOf(parts: readonly Inline[]): string {
  return parts
    .map((part) => ("parts" in part ? textOf(part.parts) : part.kind === "link" ? part.address : part.text))
    .join("");
}

function linksOf(blocks: readonly Block[]): string[] {
  const inline = (parts: readonly Inline[]): string[] =>
    parts.flatMap((part) => ("parts" in part ? inline(part.parts) : part.kind === "link" ? [part.address] : []));
  return blocks.flatMap((block) => {
    if (block.kind === "list") return block.items.flatMap(inline);
    return "parts" in block ? inline(block.parts) : [];
  });
}

describe("the little of Markdown that is understood", () => {
  it("is paragraphs, titles, lists, quotes, code and rules", () => {
    const blocks = parseMarkdown(
      "# One\n\nfirst\nsecond\n- a\n- b\n  more\n\n1. x\n2) y\n> said\n> twice\n***\n```js\nlet a;\n\n# no title\n```\nend",
    );
    expect(blocks.map(({ kind }) => kind)).toEqual([
      "heading",
      "paragraph",
      "list",
      "list",
      "quote",
      "rule",
      "code",
      "paragraph",
    ]);
    const [title, paragraph, list, numbers, quote, , code] = blocks;
    expect(title).toMatchObject({ level: 1, parts: [{ text: "One" }] });
    expect(paragraph).toMatchObject({ parts: [{ text: "first\nsecond" }] });
    expect(list).toMatchObject({ ordered: false, items: [[{ text: "a" }], [{ text: "b\nmore" }]] });
    expect(numbers).toMatchObject({ ordered: true, items: [[{ text: "x" }], [{ text: "y" }]] });
    expect(quote).toMatchObject({ parts: [{ text: "said\ntwice" }] });
    expect(code).toEqual({ kind: "code", text: "let a;\n\n# no title" });
  });

  it("is emphasis and code inside a line, and not inside words", () => {
    const [block] = parseMarkdown("a **b *c* d** `x < *y*` snake_case_name 2*3*4 _so_");
    expect(block).toEqual({
      kind: "paragraph",
      parts: [
        { kind: "text", text: "a " },
        {
          kind: "strong",
          parts: [
            { kind: "text", text: "b " },
            { kind: "emphasis", parts: [{ kind: "text", text: "c" }] },
            { kind: "text", text: " d" },
          ],
        },
        { kind: "text", text: " " },
        { kind: "code", text: "x < *y*" },
        { kind: "text", text: " snake_case_name 2*3*4 " },
        { kind: "emphasis", parts: [{ kind: "text", text: "so" }] },
      ],
    });
  });

  it("has links that lead to the web alone, and always shows where [ui.hostile-text]", () => {
    const blocks = parseMarkdown(
      "[a](https://one.example/x) [b](javascript:alert(1)) [c](data:text/html,x) (https://two.example). <javascript:x>",
    );
    expect(linksOf(blocks)).toEqual(["https://one.example/x", "https://two.example"]);
    const [block] = blocks;
    expect(block?.kind === "paragraph" ? textOf(block.parts) : "").toBe(
      "a (https://one.example/x) [b](javascript:alert(1)) [c](data:text/html,x) (https://two.example). <javascript:x>",
    );
    expect(linksOf(parseMarkdown(HOSTILE)).every((address) => /^https?:\/\//.test(address))).toBe(true);
  });

  it("reads anything, soon, and makes no link to anything but the web [ui.hostile-text]", () => {
    const piece = fc.constantFrom(
      "*",
      "_",
      "`",
      "```\n",
      "[",
      "](",
      ")",
      "javascript:",
      "https://a",
      "\n",
      "- ",
      "> ",
      "a",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const address of linksOf(parseMarkdown(pieces.join("")))) expect(address).toMatch(/^https?:\/\//);
      }),
    );
    for (const text of ["*".repeat(20_000), "[".repeat(20_000), "`a".repeat(10_000), "_a ".repeat(10_000)]) {
      expect(parseMarkdown(text).length).toBeGreaterThan(0);
    }
  });
});
