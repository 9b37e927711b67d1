import { describe, expect, it } from "vitest";
import { paintFor } from "../../../src/cli/output/paint.ts";
import { formatSpeech } from "../../../src/cli/output/speech.ts";
import { formatTable } from "../../../src/cli/output/table.ts";
import { shortened } from "../../../src/cli/output/visible-text.ts";
import { beginningOf, fitToWidth, padToWidth, textWidth } from "../../../src/cli/screen/text-width.ts";

const paint = paintFor({ colours: false });

describe("the width of text", () => {
  it("counts columns of East Asian text and emoji [terminal.width]", () => {
    expect(textWidth("漢字")).toBe(4);
    expect(textWidth("日本語 text")).toBe(11);
    expect(textWidth("👩‍👩‍👧 ok")).toBe(5);
    expect(textWidth("e\u0301")).toBe(1);
    expect(beginningOf("漢字漢字", 5)).toBe("漢字");
    expect(beginningOf("𠮷𠮷", 3)).toBe("𠮷");
    expect(padToWidth("漢", 4)).toBe("漢  ");
    expect(fitToWidth("漢字漢字", 6)).toBe("漢字…");
    expect(shortened("漢字漢字漢字", 8)).toBe("漢字漢…");
  });

  it("aligns tables [terminal.width]", () => {
    expect(
      formatTable(
        paint,
        ["NAME", "SAYS"],
        [
          ["漢字", "one"],
          ["bob", "two"],
        ],
      ),
    ).toBe("NAME  SAYS\n漢字  one\nbob   two\n");
  });

  it("breaks lines without spaces where they are full [terminal.width]", () => {
    const text = formatSpeech({ paint, nameWidth: 3, columns: 35 }, { from: "bob", text: "漢".repeat(20) });
    expect(text).toBe(`bob  ${"漢".repeat(15)}\n     ${"漢".repeat(5)}\n`);
  });
});
