import type { OperationName, OperationInput, OperationOutput } from "../contract/operations.ts";
import type { Client } from "../client/client.ts";
import type { OptionTable, OptionValues } from "./arguments/option.ts";
import type { Terminal } from "./output/terminal.ts";

/** One call of a command: what it was given, and what it works with. */
export interface Invocation<Options extends OptionTable = OptionTable> {
  readonly words: readonly string[];
  readonly options: OptionValues<Options>;
  /** What followed `--`, for a command that takes such. */
  readonly rest: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
  /** Real path of the project it works on: the one the given folder belongs to, or else the current folder. */
  projectDir(): string;
  /** The daemon, started if it is not there; the same one each time. */
  client(): Promise<Client>;
  /** Has the daemon do an operation. Refusals end the command: they are told, with their exit code. */
  ask<Name extends OperationName>(operation: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>>;
  /** Prints one answer: as JSON to a program, as the text to a person. Answers exit code 0. */
  answer(value: unknown, text: string | (() => string)): number;
}
