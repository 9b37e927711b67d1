import { COMMON_OPTIONS, type OptionTable } from "../arguments/option.ts";
import { isGroup, type Command, type CommandEntry, type CommandGroup } from "../command.ts";

/** Returns the usage of a command, for help and errors. `path` is its full name, such as "agent create". */
export function usageLine(path: string, command: Command | CommandGroup): string {
  if (isGroup(command)) return ["agent-worker", ...(path === "" ? [] : [path]), "COMMAND [ARGUMENTS]"].join(" ");
  const { words = [], options = {}, rest } = command;
  const shown = Object.entries(options).map(
    ([name, { value, many }]) => `[--${name}${value === undefined ? "" : ` ${value}`}]${many === true ? "..." : ""}`,
  );
  return ["agent-worker", path, ...words, ...shown, ...(rest === undefined ? [] : [`[-- ${rest}]`])].join(" ");
}

export function helpText(path: string, command: Command | CommandGroup): string {
  return isGroup(command) ? groupHelp(path, command) : commandHelp(path, command);
}

function commandHelp(path: string, command: Command): string {
  const { about, options = {}, examples } = command;
  return [
    about,
    "",
    `Usage: ${usageLine(path, command)}`,
    "",
    ...(Object.keys(options).length === 0 ? [] : ["Options:", ...optionRows(options), ""]),
    "With every command:",
    ...optionRows(COMMON_OPTIONS),
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

function groupHelp(path: string, group: CommandGroup): string {
  const { about, entries } = group;
  return [
    about,
    "",
    `Usage: ${usageLine(path, group)}`,
    "",
    ...entryRows(entries),
    "",
    `agent-worker ${path} COMMAND --help shows how to use one.`,
    "",
  ].join("\n");
}

function entryRows(entries: readonly CommandEntry[]): string[] {
  const width = Math.max(...entries.map(({ name }) => name.length));
  return entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}

function optionRows(options: OptionTable): string[] {
  const rows = Object.entries(options).map(([name, { value, short, about }]) => ({
    left: `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`,
    about,
  }));
  const width = Math.max(...rows.map(({ left }) => left.length));
  return rows.map(({ left, about }) => `  ${left.padEnd(width)}  ${about}`);
}
