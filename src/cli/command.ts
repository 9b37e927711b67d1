import type { Invocation } from "./invocation.ts";
import type { OptionTable } from "./arguments/option.ts";

/**
 * Commands as data: what `--help`, completion, the documentation and the parser of arguments all read, so that none of
 * them can disagree. `--json`, `--project DIR` and `--help` are understood by every command and are not repeated.
 */
export interface Command<Options extends OptionTable = OptionTable> {
  /** What it does, in a sentence or a few. */
  readonly about: string;
  /** What follows its name, in order: "TARGET", or "[MESSAGE]" when it may be left out, or "[TEXT...]" for any number. */
  readonly words?: readonly string[];
  readonly options?: Options;
  /** What may follow `--`, such as "name=value ...". Without it, what follows `--` are words that are no options. */
  readonly rest?: string;
  readonly examples: readonly [string, ...string[]];
  /** Answers the exit code. */
  run(invocation: Invocation<Options>): Promise<number>;
}

/** A command that only holds others: `agent create`, `agent list`. */
export interface CommandGroup {
  readonly about: string;
  readonly entries: readonly CommandEntry[];
}

/** A row of a table of commands. The module behind it is loaded only when it runs. */
export interface CommandEntry {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line for the overview. */
  readonly summary: string;
  load(): Promise<Command | CommandGroup>;
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
