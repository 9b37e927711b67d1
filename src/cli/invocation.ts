import type { Client } from "../client/client.ts";
import type { OperationName, OperationInput, OperationOutput } from "../contract/operations.ts";
import type { OptionTable, OptionValues } from "./arguments/option.ts";
import type { Terminal } from "./output/terminal.ts";

/** One call of a command: its arguments, and the terminal and daemon it works with. */
export interface Invocation<Options extends OptionTable = OptionTable> {
  readonly words: readonly string[];
  readonly options: OptionValues<Options>;
  /** What followed `--`, for a command that defines `rest`. */
  readonly rest: readonly string[];
  readonly json: boolean;
  /** The person trusts the project as it is: `--trust`, or AGENT_WORKER_TRUST=1 in a script. */
  readonly trust: boolean;
  readonly terminal: Terminal;
  /** Returns the real path of the project: the one that contains the folder of `--project`, or the current folder. */
  projectDir(): string;
  /** Returns the connection to the daemon, which is started if it does not run. Every call returns the same one. */
  client(): Promise<Client>;
  /** Executes an operation in the daemon. Throws Refused on a refusal, which ends the command with its exit code. */
  call<Name extends OperationName>(operation: Name, input: OperationInput<Name>): Promise<OperationOutput<Name>>;
  /**
   * Prints the value as JSON with `--json`, the text otherwise. Returns exit code 0. A text that is given as it is consists
   * of words of this program, and its commands are completed as in a hint. One that quotes others is given as a function.
   */
  print(value: unknown, text: string | (() => string)): number;
}
