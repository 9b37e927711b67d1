import { COMMON_OPTIONS, type OptionTable } from "../../src/cli/arguments/option.ts";
import { commandSections } from "../../src/cli/command-table.ts";
import { isGroup, type CommandEntry } from "../../src/cli/command.ts";
import { usageLine } from "../../src/cli/output/help-text.ts";
import { GENERATED_NOTE } from "./generated-note.ts";

/** Returns a page of every command with its usage, options and examples, in the order of the overview. */
export async function commandReference(): Promise<string> {
  const sections = await Promise.all(
    commandSections.map(async ({ title, entries }) => `## ${title}\n\n${await entriesText(entries, "")}`),
  );
  const common = ["With every command:", "", ...optionLines(COMMON_OPTIONS), ""].join("\n");
  const exits =
    "Exit codes: 0 done, 1 the work failed, 2 wrong usage or an invalid file, 3 refused, 4 the daemon cannot be reached, 130 interrupted.\n";
  return `# Commands\n\n${GENERATED_NOTE}\n\n${common}\n${exits}\n${sections.join("\n")}`;
}

async function entriesText(entries: readonly CommandEntry[], above: string): Promise<string> {
  const texts = await Promise.all(entries.map((entry) => entryText(entry, above)));
  return texts.join("\n");
}

async function entryText({ name, aliases = [], load }: CommandEntry, above: string): Promise<string> {
  const path = `${above}${name}`;
  const loaded = await load();
  const also = aliases.length === 0 ? "" : ` Also: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`;
  if (isGroup(loaded))
    return `### ${path}\n\n${loaded.about}${also}\n\n${await entriesText(loaded.entries, `${path} `)}`;
  const { about, options = {}, examples } = loaded;
  return [
    `### ${path}`,
    "",
    `${about}${also}`,
    "",
    `\`${usageLine(path, loaded)}\``,
    "",
    ...(Object.keys(options).length === 0 ? [] : [...optionLines(options), ""]),
    "```sh",
    ...examples,
    "```",
    "",
  ].join("\n");
}

function optionLines(options: OptionTable): string[] {
  return Object.entries(options).map(([name, { short, value, about }]) => {
    const spelling = `--${name}${value === undefined ? "" : ` ${value}`}`;
    return `- \`${short === undefined ? spelling : `-${short}, ${spelling}`}\`: ${about}`;
  });
}
