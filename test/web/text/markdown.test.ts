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
  return blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case "list":
        return block.items.flatMap((item) => linksOf(item.blocks));
      case "quote":
        return linksOf(block.blocks);
      case "table":
        return [...block.columns.map(({ parts }) => parts), ...block.rows.flat()].flatMap(inline);
      default:
        return "parts" in block ? inline(block.parts) : [];
    }
  });
}

const paragraph = (text: string): Block => ({ kind: "paragraph", parts: [{ kind: "text", text }] });

describe("[ui.reading] Markdown as values", () => {
  it("is paragraphs, titles, lists, quotes, code and rules", () => {
    const blocks = parseMarkdown(
      "# One\n\nfirst\nsecond\n- a\n- b\n  more\n\n3. x\n4. y\n\n> said\n> twice\n\n***\n```js\nlet a;\n\n# no title\n```\nend",
    );
    expect(blocks).toEqual([
      { kind: "heading", level: 1, parts: [{ kind: "text", text: "One" }] },
      paragraph("first\nsecond"),
      {
        kind: "list",
        start: undefined,
        items: [
          { done: undefined, blocks: [paragraph("a")] },
          { done: undefined, blocks: [paragraph("b\nmore")] },
        ],
      },
      {
        kind: "list",
        start: 3,
        items: [
          { done: undefined, blocks: [paragraph("x")] },
          { done: undefined, blocks: [paragraph("y")] },
        ],
      },
      { kind: "quote", blocks: [paragraph("said\ntwice")] },
      { kind: "rule" },
      { kind: "code", text: "let a;\n\n# no title", language: "js" },
      paragraph("end"),
    ]);
  });

  it("is tables, nested lists and tasks", () => {
    const [table, list] = parseMarkdown("| a | b |\n|---|--:|\n| 1 | **2** |\n\n- [x] done\n- [ ] open\n  - inside\n");
    expect(table).toEqual({
      kind: "table",
      columns: [
        { parts: [{ kind: "text", text: "a" }], align: undefined },
        { parts: [{ kind: "text", text: "b" }], align: "right" },
      ],
      rows: [[[{ kind: "text", text: "1" }], [{ kind: "strong", parts: [{ kind: "text", text: "2" }] }]]],
    });
    expect(list).toMatchObject({
      items: [
        { done: true, blocks: [paragraph("done")] },
        { done: false, blocks: [paragraph("open"), { kind: "list", items: [{ blocks: [paragraph("inside")] }] }] },
      ],
    });
  });

  it("shows an image as a link, and HTML as what was written", () => {
    expect(linksOf(parseMarkdown("![a cat](https://one.example/cat.png)"))).toEqual(["https://one.example/cat.png"]);
    const text = JSON.stringify(parseMarkdown("<img src=x onerror=1>\n\nand <b>bold</b>\n\n[x]: https://one.example"));
    for (const written of ["<img src=x onerror=1>", "<b>", "[x]: https://one.example"]) expect(text).toContain(written);
  });

  it("is emphasis and code inside a line, and not inside words", () => {
    const [block] = parseMarkdown("a **b *c* d** `x < *y*` snake_case_name 2 * 3 * 4 _so_");
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
        { kind: "text", text: " snake_case_name 2 * 3 * 4 " },
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
    const long = [
      "*",
      "[",
      "`a",
      "_a ",
      ">",
      "> ",
      "- ",
      "**a ",
      "[a](",
      "![",
      "<a ",
      "a*b_",
      "|a",
      "| |\n|-|\n",
      "~~",
      "1. ",
    ];
    for (const text of long) {
      const begun = performance.now();
      expect(parseMarkdown(text.repeat(20_000)).length).toBeGreaterThan(0);
      expect(performance.now() - begun, text).toBeLessThan(5_000);
    }
  });
});
