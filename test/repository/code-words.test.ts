import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportedNames, type ExportedName } from "../../scripts/exported-names.ts";
import { typeScriptFiles } from "../../scripts/project-files.ts";
import { readSource } from "../../scripts/source-file.ts";
import { glossary } from "../support/glossary.ts";

const root = join(import.meta.dirname, "../..");
const files = ["src", "web/src"].flatMap((folder) => typeScriptFiles(root, folder));
const names = files.flatMap((path) => exportedNames(readSource(root, path)).map((each) => ({ ...each, path })));
const { words, rightElsewhere, nouns, retired } = glossary(readFileSync(join(root, "CONTEXT.md"), "utf8"));

/** Names that use a forbidden word on purpose. Each has a reason; one that is not needed any more fails the test. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  PLUGIN_FOLDER: "Cursor loads a folder that it calls a plugin: --plugin-dir.",
};

/** A noun that so many files export has a meaning that people must be able to look up. */
const WIDELY_EXPORTED = 4;

const forbidden = [...new Set([...words, ...nouns].flatMap(({ avoid }) => avoid).concat(retired))].filter(
  (word) => !rightElsewhere.includes(word),
);
const uses = forbidden.flatMap((word) => usesOf(word).map((place) => ({ word, place })));

describe("the names of the code", () => {
  it("are read", () => {
    expect(names.length).toBeGreaterThan(1500);
    expect(forbidden).toEqual(expect.arrayContaining(["errand", "ledger", "priority", "dto", "human agent"]));
    expect(partsOf("HTTPServerParts")).toEqual(["http", "server", "parts"]);
    expect(partsOf("memory-keeper")).toEqual(["memory", "keeper"]);
  });

  it.each(forbidden)("[docs.glossary] do not use %s", (word) => {
    expect(usesOf(word).filter((place) => !(nameOf(place) in EXCEPTIONS))).toEqual([]);
  });

  it("[docs.glossary] have no exception that is not needed", () => {
    const needed = uses.map(({ place }) => nameOf(place));
    expect(Object.keys(EXCEPTIONS).filter((name) => !needed.includes(name))).toEqual([]);
  });

  it("[docs.glossary] end in nouns that CONTEXT.md defines, where more than three files export one", () => {
    const defined = new Set([...words, ...nouns].map(({ word }) => word.toLowerCase()));
    const missing = [...exportersByNoun()]
      .filter(([noun, paths]) => paths.size >= WIDELY_EXPORTED && !isDefined(noun.toLowerCase(), defined))
      .map(([noun, paths]) => `${noun}: ${[...paths].toSorted().join(", ")}`);
    expect(missing).toEqual([]);
  });
});

/** "src/a/b.ts: name" for each exported name, and "src/a/b.ts: b" for the file itself. */
function usesOf(word: string): readonly string[] {
  const inNames = names.filter(({ name }) => contains(name, word)).map(({ path, name }) => `${path}: ${name}`);
  const inPaths = files.filter((path) => pathParts(path).some((part) => contains(part, word)));
  return [...inNames, ...inPaths.map((path) => `${path}: ${basename(path)}`)];
}

function nameOf(place: string): string {
  return place.slice(place.indexOf(": ") + 2);
}

function pathParts(path: string): readonly string[] {
  return path
    .replace(/^(?:web\/)?src\//, "")
    .replace(/\.tsx?$/, "")
    .split("/");
}

/** The word as a whole part of the name, in one or many; a word of several words is several parts in a row. */
function contains(name: string, word: string): boolean {
  const text = ` ${partsOf(name).join(" ")} `;
  return [word, `${word}s`, `${word}es`].some((form) => text.includes(` ${form} `));
}

function partsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
}

/** By the last capitalised word of exported types: which files export one. */
function exportersByNoun(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, name } of names.filter(isType)) {
    const noun = /[A-Z][a-z0-9]*$/.exec(name)?.[0];
    if (noun !== undefined) found.set(noun, (found.get(noun) ?? new Set()).add(path));
  }
  return found;
}

function isType({ kind }: ExportedName): boolean {
  return kind === "type";
}

function isDefined(noun: string, defined: ReadonlySet<string>): boolean {
  return defined.has(noun) || (noun.endsWith("s") && defined.has(noun.slice(0, -1)));
}
