import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFences } from "../../../src/domain/message/fences.ts";
import { previewText, splitLargeBody } from "../../../src/domain/message/large-message.ts";
import { runs } from "../../property.ts";

const PREVIEW_BYTES = 1024;
const LARGE_MESSAGE_BYTES = 8 * 1024;

const preview = (body: string, threshold?: number): string => {
  const split = splitLargeBody(body, threshold === undefined ? { kind: "message" } : { kind: "message", threshold });
  if ("inline" in split) return expect.unreachable();
  expect(split.content).toBe(body);
  return split.preview;
};

describe("splitLargeBody", () => {
  it("keeps what fits and cuts what does not [message.smart-send]", () => {
    const fits = "x".repeat(LARGE_MESSAGE_BYTES);
    expect(splitLargeBody(fits, { kind: "message" })).toEqual({ inline: fits });
    expect(splitLargeBody(`${fits}x`, { kind: "message" })).toEqual({
      preview: "x".repeat(PREVIEW_BYTES),
      content: `${fits}x`,
      bytes: LARGE_MESSAGE_BYTES + 1,
    });
  });

  it("counts bytes, not characters [message.smart-send]", () => {
    const body = "é".repeat(LARGE_MESSAGE_BYTES / 2);
    expect(splitLargeBody(body, { kind: "message" })).toEqual({ inline: body });
    expect(splitLargeBody(`${body}é`, { kind: "message" })).toMatchObject({ bytes: LARGE_MESSAGE_BYTES + 2 });
  });

  it("never cuts a kickoff [message.kickoff-whole]", () => {
    const body = "x".repeat(10 * LARGE_MESSAGE_BYTES);
    expect(splitLargeBody(body, { kind: "kickoff" })).toEqual({ inline: body });
    expect(splitLargeBody(body, { kind: "notice" })).toHaveProperty("preview");
  });

  it.each([
    ["one\ntwo\nthree", 10, "one\ntwo"],
    ["one\r\ntwo\r\nthree", 11, "one\r\ntwo"],
    ["one two three four", 9, "one two t"],
    ["a\nbbbbbbbbbbbbbbbbbbbb", 10, "a\nbbbbbbbb"],
    ["👍👍👍👍", 7, "👍"],
    ["é".repeat(9), 5, "éé"],
    ["x👍", 4, "x"],
  ])("cuts %j within %i bytes to %j", (body, threshold, shown) => {
    expect(preview(body, threshold)).toBe(shown);
  });

  it.each([
    ["```\n1111\n2222\n3333\n4444", 20, "```\n1111\n2222\n```"],
    ["~~~~x\n1111\n2222\n3333\n4444", 19, "~~~~x\n1111\n~~~~"],
    ["- ```\n  11\n  22\n  33\n  44", 20, "- ```\n  11\n  ```"],
    ["> ```\n> 1\n> 2\n> 3\n> 4\n> 5\n> 6\n> 7", 20, "> ```\n> 1\n> 2\n> 3"],
    ["some text\n`````````\ncode code code", 20, "some text"],
    [`\t\t${"~".repeat(30)}\na\n${"~".repeat(30)}\n\t\`\`\`\nb`, 70, ""],
    ["```\na\n```\nsome more text and on", 20, "```\na\n```\nsome more"],
  ])("closes the code block that the cut of %j leaves open", (body, threshold, shown) => {
    expect(preview(body, threshold)).toBe(shown);
  });

  it("loses nothing, stays within its bound and lets the notice be read", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "```\n",
        "````\n",
        "~~~\n",
        "\n",
        "> ",
        "- ",
        "    ",
        "\t",
        "`",
        "word ",
        "👍",
        "é",
        "\ud83d",
        "\r\n",
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    const body = fc.array(piece, { minLength: 1, maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(body, fc.integer({ min: 0, max: 200 }), (text, threshold) => {
        const split = splitLargeBody(text, { kind: "message", threshold });
        const size = Buffer.byteLength(text);
        expect("inline" in split ? split.inline : split.content).toBe(text);
        expect("inline" in split).toBe(size <= threshold);
        if ("inline" in split) return;
        expect(split.bytes).toBe(size);
        expect(Buffer.byteLength(split.preview)).toBeLessThanOrEqual(Math.min(threshold, PREVIEW_BYTES));
        const shown = previewText(split.preview, { resourceId: "res_1", bytes: split.bytes, mentions: ["bob"] });
        const notice = shown.lastIndexOf("[resource:res_1]");
        expect(findFences(shown).every((fence) => fence.end <= notice)).toBe(true);
        const kept = text.startsWith(split.preview)
          ? split.preview
          : split.preview.slice(0, split.preview.lastIndexOf("\n"));
        expect(text.startsWith(kept)).toBe(true);
        const last = kept.charCodeAt(kept.length - 1);
        const halved = last >= 0xd800 && last < 0xdc00 && /^[\udc00-\udfff]/.test(text.slice(kept.length));
        expect(halved).toBe(false);
      }),
      runs(500),
    );
  });
});

describe("previewText", () => {
  const about = { resourceId: "res_abc", bytes: 51_200, mentions: [] as string[] };

  it("says the size and where the rest is [message.smart-send]", () => {
    const text = previewText("begins", about);
    expect(text.startsWith("begins\n\n[resource:res_abc] ")).toBe(true);
    expect(text).toContain("50.0 KiB");
    expect(text).toContain('resource_read {"id": "res_abc"}');
    expect(text).not.toContain("Mentions");
  });

  it.each([
    [900, "900 bytes"],
    [1536, "1.5 KiB"],
    [3 * 1024 * 1024, "3.0 MiB"],
  ])("shows %i as %s", (bytes, shown) => {
    expect(previewText("", { ...about, bytes })).toContain(shown);
  });

  it("lists whom the whole body mentions, and stays small [message.smart-send-mentions]", () => {
    expect(previewText("x", { ...about, mentions: ["alice", "bob"] })).toMatch(/\nMentions: @alice @bob$/);
    const many = Array.from({ length: 1000 }, (_, index) => `agent-${index}`);
    const text = previewText("x", { ...about, mentions: many });
    expect(text).toContain("@agent-19 and 980 more");
    expect(text.length).toBeLessThan(600);
  });
});
