import type { Client } from "../client/client.ts";
import { EXIT } from "../contract/service/errors.ts";
import { parseArguments } from "./arguments/parse-arguments.ts";
import { projectFolder } from "./arguments/project-folder.ts";
import type { Command } from "./command.ts";
import type { Invocation } from "./invocation.ts";
import type { Terminal } from "./output/terminal.ts";

/** Parses the arguments of a command. The connection is opened on first use. */
export function openInvocation(command: Command, args: readonly string[], terminal: Terminal): Invocation {
  const { words, options, rest } = parseArguments(args, command);
  const json = options["json"] === true;
  const trust = options["trust"] === true || terminal.env["AGENT_WORKER_TRUST"] === "1";
  const folder = typeof options["project"] === "string" ? options["project"] : undefined;
  const file = command.namesFile === true ? words[0] : undefined;
  const projectDir = (): string => projectFolder(terminal, folder, file);
  let connected: Promise<Client> | undefined;
  const client = (): Promise<Client> => (connected ??= connect(terminal, projectDir(), trust));
  return {
    words,
    options,
    rest,
    json,
    trust,
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
      else terminal.print(typeof text === "string" ? terminal.hint(text) : text());
      return EXIT.ok;
    },
  };
}

async function connect(terminal: Terminal, projectDir: string, trust: boolean): Promise<Client> {
  const { connectForCommand } = await import("./connect-for-command.ts");
  return connectForCommand(terminal, projectDir, trust);
}
