import type { Client } from "../client/client.ts";
import { EXIT } from "../contract/service/errors.ts";
import type { Command } from "./command.ts";
import type { Invocation } from "./invocation.ts";
import { parseArguments } from "./arguments/parse-arguments.ts";
import { projectFolder } from "./arguments/project-folder.ts";
import type { Terminal } from "./output/terminal.ts";

/** Reads the arguments of a command and gives it what it works with. Nothing is opened before it is asked for. */
export function openInvocation(command: Command, args: readonly string[], terminal: Terminal): Invocation {
  const { words, options, rest } = parseArguments(args, command);
  const json = options["json"] === true;
  const given = typeof options["project"] === "string" ? options["project"] : undefined;
  let connected: Promise<Client> | undefined;
  const client = (): Promise<Client> => (connected ??= connect(terminal, projectFolder(terminal, given)));
  return {
    words,
    options,
    rest,
    json,
    terminal,
    projectDir: () => projectFolder(terminal, given),
    client,
    async ask(operation, input) {
      const answered = await (await client()).call(operation, input);
      if (!answered.ok) throw new (await import("./output/refused.ts")).Refused(answered.error);
      return answered.value;
    },
    answer(value, text) {
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
