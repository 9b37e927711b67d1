import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paintFor } from "../../../src/cli/output/paint.ts";
import { terminalText } from "../../../src/cli/output/visible-text.ts";
import { runs } from "../../property.ts";

const OBEYED = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const nasty = fc.string({
  unit: fc.constantFrom(
    "\u001b",
    "[",
    "31m",
    "\u009b",
    "\u202e",
    "\u2028",
    "\u007f",
    "\u200b",
    "\u200d",
    "\ufe0f",
    "\u{e0041}",
    "\u2764",
    "\u{1f468}",
    "\u{1f3fd}",
    "\u0645",
    "\r",
    "\n",
    "\t",
    "\\",
    '"',
    "a",
    "é",
  ),
  maxLength: 30,
});

describe("terminalText", () => {
  it("[terminal.text] leaves nothing that a terminal obeys, and shows all of it", () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const shown = terminalText(text);
        expect(shown).not.toMatch(OBEYED);
        expect(terminalText(shown)).toBe(shown);
      }),
      runs(500),
    );
    expect(terminalText("a\u001b[2J\u009b\u202e\r\nb\rc\u061c")).toBe("a\\x1b[2J\\u009b\\u202e\nb\\x0dc\\u061c");
  });

  it("[terminal.json] keeps the value of JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(nasty, fc.array(nasty)), (value) => {
        expect(JSON.parse(terminalText(JSON.stringify(value)))).toEqual(value);
        expect(JSON.parse(terminalText(JSON.stringify(value, null, 2)))).toEqual(value);
      }),
      runs(300),
    );
  });

  it("[terminal.text] obeys the styles of the program and none of a text inside or beside them", () => {
    const paint = paintFor({ colours: true });
    fc.assert(
      fc.property(nasty, nasty, (inside, beside) => {
        const shown = terminalText(`${paint.bad(`${paint.bold("x")}${inside}`)}${beside}`);
        expect(shown.startsWith("\u001b[31m\u001b[1mx\u001b[22m")).toBe(true);
        expect(shown.split("\u001b")).toHaveLength(5);
      }),
      runs(300),
    );
  });
});

it("[terminal.text] the terminal is the only writer of the command", () => {
  const root = join(import.meta.dirname, "../../../src/cli");
  const writers = globSync("**/*.ts", { cwd: root }).filter((file) =>
    /\b(?:stdout|stderr)\s*\.\s*write\(|\bwriteSync\(|\bconsole\s*\./.test(readFileSync(join(root, file), "utf8")),
  );
  // `main.ts` prints only its own help and version; what reaches a screen is in `test/cli/chat/visible-chat.test.ts`.
  expect(writers.toSorted()).toEqual(["main.ts", "output/terminal.ts", "screen/screen.ts"]);
});
