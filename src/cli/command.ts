import type { OptionTable } from "./arguments/option.ts";
import type { COMMAND_NAMES } from "./command-names.ts";
import type { Invocation } from "./invocation.ts";

/**
 * A command as data. Help, completion, the reference and the parser of arguments all read it. Every command takes
 * `--json`, `--project DIR`, `--trust` and `--help`, which are not listed in it.
 */
export interface Command<Options extends OptionTable = OptionTable> {
  /** What it does, in one sentence or a few. */
  readonly about: string;
  /** Its positional arguments: "TARGET", "[MESSAGE]" when optional, "[TEXT...]" for any number. */
  readonly words?: readonly string[];
  /** The first word may be a file, whose project is meant when the current folder has none. */
  readonly namesFile?: true;
  readonly options?: Options;
  /** What follows `--`, such as "name=value ...". Without it, `--` only ends the options. */
  readonly rest?: string;
  /** A word too many may be a secret: it is not repeated. */
  readonly secretWords?: true;
  readonly examples: readonly [string, ...string[]];
  /** The exit code when it could not do its work, where 1 says something about the work. */
  readonly failureExit?: number;
  /** Returns the exit code. */
  run(invocation: Invocation<Options>): Promise<number>;
}

/** A command that consists of others: `agent create`, `agent list`. */
export interface CommandGroup {
  readonly about: string;
  readonly entries: readonly CommandEntry[];
}

/** A row of a command table. Its module is loaded only when the command runs. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for the overview. */
  readonly summary: string;
  load(): Promise<Command | CommandGroup>;
}

/** The commands under one heading of the overview. */
export interface CommandSection {
  readonly title: string;
  readonly entries: readonly (CommandEntry & { readonly name: (typeof COMMAND_NAMES)[number] })[];
}

export function defineCommand<const Options extends OptionTable>(command: Command<Options>): Command {
  return command;
}

export function isGroup(loaded: Command | CommandGroup): loaded is CommandGroup {
  return "entries" in loaded;
}

export function findEntry(entries: readonly CommandEntry[], name: string): CommandEntry | undefined {
  return entries.find((each) => each.name === name || each.aliases?.includes(name) === true);
}
