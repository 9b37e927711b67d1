import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { glossary } from "../support/glossary.ts";

const repository = join(import.meta.dirname, "../..");
const read = (page: string): string => readFileSync(join(repository, page), "utf8");

/** What people read; `docs/reference/commands.md` is the help of every command. */
const PAGES = ["README.md", "CHANGELOG.md", ...globSync(["docs/**/*.md", "examples/*/README.md"], { cwd: repository })];
const pages = PAGES.map((page) => ({ page, text: read(page) }));

const { words, rightElsewhere, retired } = glossary(read("CONTEXT.md"));
const avoided = words.flatMap(({ avoid }) => avoid).filter((word) => !rightElsewhere.includes(word));

/** Retired as names, but also plain English. `wish` is a parameter of an example. */
const PLAIN_ENGLISH = ["asked", "exchange", "kept", "said", "told", "wish"];
const retiredHere = retired.filter((word) => !PLAIN_ENGLISH.includes(word));

describe("the words of CONTEXT.md", () => {
  it("are read as they stand there", () => {
    expect(words.map(({ word }) => word)).toContain("Dead letter");
    expect(avoided).toEqual(expect.arrayContaining(["pipeline", "human agent", "priority"]));
    expect(words.flatMap(({ avoid }) => avoid)).toEqual(expect.arrayContaining([...rightElsewhere]));
  });

  it.each(words)("[docs.glossary] $word is what the documentation says", ({ word }) => {
    expect(pages.some(({ text }) => places(text, word).length > 0)).toBe(true);
  });

  it.each(avoided)("[docs.glossary] %s is said nowhere, nor in the help of a command", (word) => {
    expect(pages.flatMap(({ page, text }) => places(text, word).map((line) => `${page}: ${line}`))).toEqual([]);
  });

  it.each(retiredHere)("[docs.glossary] %s is retired, and only the changelog still names it", (word) => {
    const found = pages.filter(({ page }) => page !== "CHANGELOG.md");
    expect(found.flatMap(({ page, text }) => places(text, word).map((line) => `${page}: ${line}`))).toEqual([]);
  });
});

/** Lines with the word as a word, in one or many; parts of longer names are other words. */
function places(text: string, word: string): string[] {
  const found = new RegExp(`(?<![\\w-])${word.replaceAll(" ", "\\s+")}(?:s|es)?(?![\\w-])`, "i");
  return text.split("\n").filter((line) => found.test(line));
}
