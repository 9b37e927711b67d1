import type { Api, ApiInput, ApiOutput } from "../client/api.ts";
import type { Client } from "../client/client.ts";
import { EXIT } from "../contract/errors.ts";
import type { OptionTable, OptionValues } from "./arguments/option.ts";
import { parseArguments } from "./arguments/parse-arguments.ts";
import { projectFolder } from "./arguments/project-folder.ts";
import type { Command } from "./command.ts";
import type { Terminal } from "./output/terminal.ts";

/** One call of a command: its arguments, and the terminal and daemon it works with. */
export interface Invocation<Options extends OptionTable = OptionTable> {
  readonly words: readonly string[];
  readonly options: OptionValues<Options>;
  /** What followed `--`, for a command that defines `rest`. */
  readonly rest: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
  /** Returns the real path of the project: the one that contains the folder of `--project`, or the current folder. */
  projectDir(): string;
  /** Returns the connection to the daemon, which is started if it does not run. Every call returns the same one. */
  client(): Promise<Client>;
  /** Executes an operation in the daemon. Throws Refused on a refusal, which ends the command with its exit code. */
  call<Name extends keyof Api>(operation: Name, input: ApiInput<Name>): Promise<ApiOutput<Name>>;
  /** Prints the value as JSON with `--json`, the text otherwise. Returns exit code 0. */
  print(value: unknown, text: string | (() => string)): number;
}

/** Parses the arguments of a command. The connection is opened on first use. */
export function openInvocation(command: Command, args: readonly string[], terminal: Terminal): Invocation {
  const { words, options, rest } = parseArguments(args, command);
  const json = options["json"] === true;
  const folder = typeof options["project"] === "string" ? options["project"] : undefined;
  const projectDir = (): string => projectFolder(terminal, folder);
  let connected: Promise<Client> | undefined;
  const client = (): Promise<Client> => (connected ??= connect(terminal, projectDir()));
  return {
    words,
    options,
    rest,
    json,
    terminal,
    projectDir,
    client,
    async call(operation, input) {
      const result = await (await client()).call(operation, input);
      if (!result.ok) throw new (await import("./refused.ts")).Refused(result.error);
      return result.value;
    },
    print(value, text) {
      if (json) terminal.print(`${JSON.stringify(value)}\n`);
      else terminal.print(typeof text === "string" ? text : text());
      return EXIT.ok;
    },
  };
}

async function connect(terminal: Terminal, projectDir: string): Promise<Client> {
  const { connectForCommand } = await import("./connect-for-command.ts");
  return connectForCommand(terminal, projectDir);
}
