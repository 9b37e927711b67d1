import { EXIT } from "../contract/service/errors.ts";
import { holdProcess } from "../kernel/clock.ts";
import { UsageError } from "./arguments/usage-error.ts";
import { findEntry, isGroup, type Command, type CommandEntry, type CommandGroup } from "./command.ts";
import { openInvocation } from "./open-invocation.ts";
import { namedProject } from "./output/named-project.ts";
import { openTerminal, type Terminal } from "./output/terminal.ts";

/** Runs one of the commands and returns its exit code. Reports every failure. */
export async function runCommand(argv: readonly string[], entries: readonly CommandEntry[]): Promise<number> {
  const args = commandFirst(argv, entries);
  const terminal = openTerminal(namedProject(args));
  const beforeRest = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  const path: string[] = [];
  let found: Command | CommandGroup = { about: "", entries };
  using _running = holdProcess();
  try {
    while (isGroup(found)) {
      const name = args[path.length];
      const entry: CommandEntry | undefined = name === undefined ? undefined : findEntry(found.entries, name);
      if (entry === undefined) break;
      found = await entry.load();
      path.push(entry.name);
    }
    if (path.length > 0 && (beforeRest.includes("--help") || beforeRest.includes("-h"))) {
      const { helpText } = await import("./output/help-text.ts");
      const { fittedHelp } = await import("./screen/fitted-help.ts");
      terminal.print(fittedHelp(helpText(path.join(" "), found), terminal.columns));
      return EXIT.ok;
    }
    if (isGroup(found) && path.length > 0 && args[path.length]?.startsWith("-") !== false) {
      found = (await listAlone(found)) ?? found;
    }
    if (isGroup(found)) throw await unknownCommand(path, args[path.length], found, terminal);
    return await found.run(openInvocation(found, args.slice(path.length), terminal));
  } catch (error) {
    const { reportFailure } = await import("./output/report-failure.ts");
    const usage =
      error instanceof UsageError ? (await import("./output/help-text.ts")).usageLine(path.join(" "), found) : "";
    const exit = reportFailure(terminal, error, usage, beforeRest.includes("--json"));
    return exit === EXIT.failed && !isGroup(found) ? (found.failureExit ?? exit) : exit;
  }
}

/** A group without a command lists what it has, where the list needs nothing to be named. */
async function listAlone({ entries }: CommandGroup): Promise<Command | undefined> {
  const list = await findEntry(entries, "list")?.load();
  return list === undefined || isGroup(list) || list.words?.some((word) => !word.startsWith("[")) === true
    ? undefined
    : list;
}

/** Moves `--project DIR`, `--json` and `--trust` after the command. `help COMMAND` becomes `COMMAND --help`. */
function commandFirst(args: readonly string[], entries: readonly CommandEntry[]): readonly string[] {
  if (args[0] === "help" && findEntry(entries, args[1] ?? "") !== undefined) return [...args.slice(1), "--help"];
  let at = 0;
  for (let arg = args[at]; arg !== undefined && COMMON.test(arg); arg = args[at]) at += arg === "--project" ? 2 : 1;
  return args.slice(at, at + 1).concat(args.slice(0, at), args.slice(at + 1));
}

const COMMON = /^--(json|trust|project(=.*)?)$/s;

async function unknownCommand(
  path: readonly string[],
  name: string | undefined,
  { entries }: CommandGroup,
  terminal: Terminal,
) {
  const names = entries.map((each) => each.name);
  if (name === undefined) {
    return new UsageError(`${["agent-worker", ...path].join(" ")} needs a command.`, `One of ${names.join(", ")}.`);
  }
  const full = [...path, name].join(" ");
  const { REPLACED_COMMANDS } = await import("./replaced-commands.ts");
  const instead = path.length === 0 && Object.hasOwn(REPLACED_COMMANDS, name) ? REPLACED_COMMANDS[name] : undefined;
  if (instead !== undefined) {
    return new UsageError(`There is no command "${full}" any more.`, `Now: agent-worker ${instead}`);
  }
  if (path.length === 0) {
    const { whatIsMeant } = await import("./meant-by-name.ts");
    const meant = whatIsMeant(name, names, terminal);
    if (meant !== undefined) return new UsageError(`There is no command "${full}". ${meant.what}`, meant.hint);
  }
  const { hintForUnknown } = await import("../kernel/closest.ts");
  return new UsageError(`There is no command "${full}".`, hintForUnknown(name, names, "commands"));
}
