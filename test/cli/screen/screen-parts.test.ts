import { describe, expect, it } from "vitest";
import { frameUpdate, rowText } from "../../../src/cli/screen/frame.ts";
import { readKeys } from "../../../src/cli/screen/key.ts";
import { cutLine, fillLine, line, lineWidth, plainText, span } from "../../../src/cli/screen/span.ts";
import { wrapLine } from "../../../src/cli/screen/wrap-line.ts";

describe("a frame", () => {
  it("writes only rows that differ, in their place, and clears nothing first [terminal.frames]", () => {
    const before = ["one", "two", "three"];
    const text = frameUpdate(before, ["one", "TWO", "three"], { row: 2, column: 1 });
    expect(text).toContain("\u001b[2;1HTWO\u001b[K");
    expect(text).not.toContain("one");
    expect(text).not.toContain("three");
    expect(text).not.toContain("\u001b[2J");
    expect(text.startsWith("\u001b[?2026h")).toBe(true);
    expect(text.endsWith("\u001b[?2026l")).toBe(true);
  });

  it("writes no row when nothing differs [terminal.frames]", () => {
    expect(frameUpdate(["one"], ["one"], undefined)).not.toContain("one");
  });

  it("has no colours where they are forbidden, but what is chosen is seen [terminal.survives]", () => {
    const spans = line(span("good", "good"), span("chosen", "chosen"));
    expect(rowText(spans, false)).toBe("good\u001b[7mchosen\u001b[0m");
    expect(rowText(spans, true)).toContain("\u001b[32mgood");
  });
});

describe("a line", () => {
  it("shows text of anybody without obeying it", () => {
    expect(plainText(line("\u001b[2Jgone\u0007\ttab"))).toBe("\\x1b[2Jgone\\x07    tab");
  });

  it("is cut and filled by columns, not by characters [terminal.width]", () => {
    expect(plainText(cutLine(line("漢字漢字"), 5))).toBe("漢字…");
    expect(lineWidth(fillLine(line("漢字"), 6))).toBe(6);
    expect(lineWidth(fillLine(line("漢字漢字"), 6))).toBe(6);
  });

  it("is broken at spaces, and in long words anywhere, with styles kept [terminal.width]", () => {
    const wrapped = wrapLine(line("one two three ", span("four fivesix", "bold")), 14, 2);
    expect(wrapped.map((each) => plainText(each).trimEnd())).toEqual(["one two three", "  four fivesix"]);
    expect(wrapped[1]?.at(-1)?.style).toBe("bold");
    expect(wrapLine(line("漢字漢字漢"), 4).map(plainText)).toEqual(["漢字", "漢字", "漢"]);
    expect(wrapLine(line("abcdefghij"), 4).map(plainText)).toEqual(["abcd", "efgh", "ij"]);
    for (const each of wrapLine(line("x ".repeat(50)), 7)) expect(lineWidth(each)).toBeLessThanOrEqual(7);
  });
});

describe("keys", () => {
  it("are texts, names, new lines, and a paste as one [terminal.input]", () => {
    const read = readKeys();
    expect(read("a", { name: "a", sequence: "a" })).toEqual({ kind: "text", text: "a" });
    expect(read("漢", { sequence: "漢" })).toEqual({ kind: "text", text: "漢" });
    expect(read("\r", { name: "return", sequence: "\r" })).toMatchObject({ kind: "key", name: "return" });
    expect(read(undefined, { name: "return", meta: true, sequence: "\u001b\r" })).toMatchObject({ name: "newline" });
    expect(read("\u0006", { name: "f", ctrl: true, sequence: "\u0006" })).toMatchObject({ name: "f", ctrl: true });
    expect(read(undefined, { name: "paste-start" })).toBeUndefined();
    expect(read("y", { name: "y", sequence: "y" })).toBeUndefined();
    expect(read("\r", { name: "return", sequence: "\r" })).toBeUndefined();
    expect(read("n", { name: "n", sequence: "n" })).toBeUndefined();
    expect(read(undefined, { name: "paste-end" })).toEqual({ kind: "text", text: "y\nn", pasted: true });
  });
});
