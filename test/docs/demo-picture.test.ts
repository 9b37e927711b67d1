import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordDemo } from "../../scripts/record-demo.ts";
import { terminalPicture } from "../../scripts/terminal-picture.ts";

const kept = readFileSync(join(import.meta.dirname, "../../docs/demo.svg"), "utf8");

describe("docs/demo.svg", () => {
  it("[docs.examples-run] shows what the demo shows: node scripts/record-demo.ts", async () => {
    expect(linesOf(await recordDemo())).toEqual(linesOf(kept));
  });

  it("is a picture and nothing else", () => {
    expect(kept).not.toMatch(/<script|href|@import|url\(|foreignObject/);
    expect(Buffer.byteLength(kept)).toBeLessThan(20_000);
  });
});

describe("a picture of a terminal", () => {
  const drawn = (text: string): string => terminalPicture({ title: "$ x", description: "x", columns: 20, text });

  it("has a style as long as the terminal has it, also over lines", () => {
    expect(drawn("\u001b[36mone\ntwo\u001b[39m three")).toContain(
      '<tspan style="fill:#76e3ea">two</tspan> three</text>',
    );
    expect(drawn("\u001b[1mbold\u001b[22m")).toContain('<tspan class="b">bold</tspan></text>');
  });

  it("shows text as text", () => {
    expect(drawn("a <b> & c")).toContain("a &lt;b&gt; &amp; c</text>");
  });

  it("refuses what it cannot draw", () => {
    expect(() => drawn("\u001b[7mreversed")).toThrow("escape sequence 7");
  });
});

/** What differs from run to run is left out; so is the order, because the agents work at the same time. */
function linesOf(picture: string): string[] {
  return [...picture.matchAll(/<text[^>]*>(.*)<\/text>/g)]
    .map(([, line = ""]) =>
      line
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll(/bal_[0-9a-z]+/g, "bal_")
        .replaceAll(/\S*agent-worker-demo-\w+/g, "")
        .replaceAll(/\(\d of(?: 2\))?/g, "")
        .replaceAll(/127\.0\.0\.1:\d+/g, "")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ""),
    )
    .toSorted();
}
