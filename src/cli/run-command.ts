import { EXIT, FAULT_ANSWERS } from "../contract/errors.ts";
import { holdProcess } from "../kernel/clock.ts";
import { hintForUnknown } from "../kernel/closest.ts";
import { Fault } from "../kernel/fault.ts";
import { commandTable } from "./command-table.ts";
import { UsageError, type Command, type Terminal } from "./command.ts";
import { reportTrouble } from "./refusal-text.ts";

/** Runs one subcommand, and turns whatever goes wrong into a line and an exit code. */
export async function runCommand(name: string, args: readonly string[]): Promise<number> {
  const entry = commandTable.find((each) => each.name === name);
  if (entry === undefined) return unknownCommand(name);
  watchOutput();
  const command = await entry.load();
  const ownArgs = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (ownArgs.includes("--help") || ownArgs.includes("-h")) {
    terminal.out.write(helpOf(command));
    return EXIT.ok;
  }
  using _alive = holdProcess();
  try {
    return await command.run(args, terminal);
  } catch (error) {
    return explain(command, error, ownArgs.includes("--json"));
  }
}

const terminal: Terminal = {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  async stdin() {
    process.stdin.setEncoding("utf8");
    let text = "";
    for await (const chunk of process.stdin) text += String(chunk);
    return text;
  },
};

/** A reader that has seen enough (`| head`) closes the pipe, which is no failure of ours; output that is lost is one. */
function watchOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(EXIT.ok);
    terminal.err.write(`Error: the output cannot be written (${error.code ?? error.message}).\n`);
    process.exit(EXIT.failed);
  });
}

function explain(command: Command, error: unknown, json: boolean): number {
  if (error instanceof UsageError || isParseArgsError(error)) {
    const message = error.message.replace(/\. To specify a positional argument .*$/s, ".");
    reportTrouble(terminal, { code: "invalid", message, hint: `Usage: agent-worker ${command.usage}` }, json);
    return EXIT.usage;
  }
  if (error instanceof Fault) {
    reportTrouble(terminal, error, json);
    return FAULT_ANSWERS[error.code].exit;
  }
  const message = `something went wrong inside agent-worker: ${error instanceof Error ? error.message : String(error)}`;
  const debugging = terminal.env["AGENT_WORKER_DEBUG"] !== undefined;
  if (debugging && error instanceof Error) terminal.err.write(`${error.stack}\n`);
  const hint = debugging ? undefined : "Run it again with AGENT_WORKER_DEBUG=1 to see where, and please report it.";
  reportTrouble(terminal, { code: "bug", message, hint }, json);
  return EXIT.failed;
}

function isParseArgsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** Commands that hints already name and that are still to come: what does the same today. */
const UNTIL_THEN: Readonly<Record<string, string>> = {
  agent: `call list-agents, or call create-agent '{"name": "NAME", "system": "..."}'`,
  dead: `call list-dead-letters, or call retry-dead-letter '{"id": "ID"}'`,
  send: `call send-message '{"to": "TARGET", "message": "..."}'`,
};

function unknownCommand(name: string): number {
  const names = commandTable.map((each) => each.name);
  const instead = Object.hasOwn(UNTIL_THEN, name) ? UNTIL_THEN[name] : undefined;
  const hint = instead === undefined ? hintForUnknown(name, names, "commands") : `For now: agent-worker ${instead}`;
  terminal.err.write(`Error: there is no command "${name}"${instead === undefined ? "" : " yet"}.\n${hint}\n`);
  return EXIT.usage;
}

function helpOf(command: Command): string {
  return `${command.summary}\n\nUsage: agent-worker ${command.usage}\n\nExample:\n  ${command.example}\n`;
}
