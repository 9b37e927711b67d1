import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMON_OPTIONS, type OptionTable } from "../../src/cli/arguments/option.ts";
import { commandTable } from "../../src/cli/command-table.ts";
import { findEntry, isGroup, type Command } from "../../src/cli/command.ts";
import { REPLACED_COMMANDS } from "../../src/cli/replaced-commands.ts";

const repository = join(import.meta.dirname, "../..");

/** Every `agent-worker ...` the sources tell people to type: what follows a colon, and the examples of commands. */
function commandsToldIn(source: string): string[] {
  const code = source
    .split("\n")
    .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line))
    .join("\n");
  return [...code.matchAll(/(?:: |["'`]|\| |=\w+ )agent-worker ([a-z](?:(?!: agent-worker)[^\n`"])*)/g)]
    .map(([, told = ""]) => told.replace(/\\n.*$/, ""))
    .filter((told) => !/^(itself|process)\b/.test(told));
}

/** What is wrong with such a line; undefined when the command and its options exist. */
async function mistakeIn(told: string): Promise<string | undefined> {
  const words = told.split(/\s+/).map((word) => word.replace(/[.,;)}]+$/, ""));
  let entries = commandTable;
  let command: Command | undefined;
  for (const word of words) {
    const entry = findEntry(entries, word);
    if (entry === undefined) return `there is no command "${word}"`;
    const loaded = await entry.load();
    if (!isGroup(loaded)) {
      command = loaded;
      break;
    }
    entries = loaded.entries;
  }
  if (command === undefined) return "it ends before the command is named";
  const own = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const options: OptionTable = { ...command.options, ...COMMON_OPTIONS };
  const known = Object.entries(options).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ]);
  const unknown = own.find((word) => /^--?[a-z]/.test(word) && !known.includes(word));
  return unknown === undefined ? undefined : `there is no option ${unknown}`;
}

describe("commands that the program tells people to type", () => {
  it("[cli.errors] exist, with the options they are told with", async () => {
    const wrong: string[] = [];
    let found = 0;
    for (const file of globSync("src/**/*.ts", { cwd: repository })) {
      for (const told of commandsToldIn(readFileSync(join(repository, file), "utf8"))) {
        found += 1;
        const mistake = await mistakeIn(told);
        if (mistake !== undefined) wrong.push(`${file}: agent-worker ${told}: ${mistake}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(50);
  });

  it("[cli.old-words] exist where an old command is replaced", async () => {
    for (const [old, instead] of Object.entries(REPLACED_COMMANDS)) {
      expect(findEntry(commandTable, old), old).toBeUndefined();
      expect(await mistakeIn(instead), instead).toBeUndefined();
    }
  });

  it("would be found if they did not exist", async () => {
    expect(commandsToldIn('hint: "See: agent-worker agnet list",')).toEqual(["agnet list"]);
    expect(await mistakeIn("agnet list")).toBe('there is no command "agnet"');
    expect(await mistakeIn("agent lst")).toBe('there is no command "lst"');
    expect(await mistakeIn("peek @review --folow")).toBe("there is no option --folow");
    expect(await mistakeIn("agent")).toBe("it ends before the command is named");
  });
});
