import { EXIT, FAULT_ANSWERS } from "../contract/errors.ts";
import { Fault } from "../kernel/fault.ts";
import { commandTable } from "./command-table.ts";
import { UsageError, type Command, type Terminal } from "./command.ts";

/** The command `agent-worker`: finds the subcommand, runs it, and turns whatever goes wrong into a line and a code. */
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

// A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
});

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    terminal.out.write(await overview());
    return EXIT.ok;
  }
  if (name === "--version" || name === "-v") {
    terminal.out.write(`${await version()}\n`);
    return EXIT.ok;
  }
  const entry = commandTable.find((each) => each.name === name);
  if (entry === undefined) return unknownCommand(name);
  const command = await entry.load();
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out.write(helpOf(command));
    return EXIT.ok;
  }
  const { holdProcess } = await import("../kernel/clock.ts");
  using _alive = holdProcess();
  try {
    return await command.run(rest, terminal);
  } catch (error) {
    return explain(command, error);
  }
}

function explain(command: Command, error: unknown): number {
  if (error instanceof UsageError || isParseArgsError(error)) {
    terminal.err.write(`Error: ${error.message}\nUsage: agent-worker ${command.usage}\n`);
    return EXIT.usage;
  }
  if (error instanceof Fault) {
    terminal.err.write(`Error: ${error.message}\n${error.hint === undefined ? "" : `${error.hint}\n`}`);
    return FAULT_ANSWERS[error.code].exit;
  }
  const detail = error instanceof Error ? error.message : String(error);
  terminal.err.write(`Error: something went wrong inside agent-worker: ${detail}\n`);
  if (terminal.env["AGENT_WORKER_DEBUG"] !== undefined && error instanceof Error) terminal.err.write(`${error.stack}\n`);
  else terminal.err.write("Run it again with AGENT_WORKER_DEBUG=1 to see where, and please report it.\n");
  return EXIT.failed;
}

function isParseArgsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

async function unknownCommand(name: string): Promise<number> {
  const { hintForUnknown } = await import("../kernel/closest.ts");
  const names = commandTable.map((each) => each.name);
  terminal.err.write(`Error: there is no command "${name}".\n${hintForUnknown(name, names, "commands")}\n`);
  return EXIT.usage;
}

async function overview(): Promise<string> {
  const width = Math.max(...commandTable.map(({ name }) => name.length));
  const rows = commandTable.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `agent-worker ${await version()}: teams of AI agents on your machine`,
    "",
    "Usage: agent-worker COMMAND [ARGUMENTS]",
    "",
    ...rows,
    "",
    "agent-worker COMMAND --help shows how to use one. Start with: agent-worker demo",
    "",
  ].join("\n");
}

function helpOf(command: Command): string {
  return `${command.summary}\n\nUsage: agent-worker ${command.usage}\n\nExample:\n  ${command.example}\n`;
}

async function version(): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const manifest: unknown = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}
