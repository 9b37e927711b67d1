import fc from "fast-check";
import { expect, it } from "vitest";
import { ansiParts } from "../../../web/src/text/ansi.ts";
import { highlight } from "../../../web/src/text/highlight.ts";

it("[ui.reading] program text gets colours, and not a character of it is lost", () => {
  expect(highlight('const a = "x"; // 1', "ts")).toEqual([
    { kind: "word", text: "const" },
    { kind: "text", text: " a = " },
    { kind: "string", text: '"x"' },
    { kind: "text", text: "; " },
    { kind: "comment", text: "// 1" },
  ]);
  expect(highlight("a # b", "python").at(-1)).toEqual({ kind: "comment", text: "# b" });
  fc.assert(
    fc.property(fc.string(), fc.constantFrom("ts", "python", "sql", "", "html"), (text, language) => {
      expect(
        highlight(text, language)
          .map((part) => part.text)
          .join(""),
      ).toBe(text);
    }),
  );
  for (const piece of ['"', "'", "`", "/*", "//", "\\", "a"]) highlight(piece.repeat(50_000), "ts");
});

it("[ui.reading] colours of a terminal are shown, and other sequences have no effect", () => {
  expect(ansiParts("\u001b[1;31mbad\u001b[0m ok\u001b[2K")).toEqual([
    { text: "bad", colour: 1, bold: true },
    { text: " ok", colour: undefined, bold: false },
  ]);
});
