import { ownVersion } from "../client/own-version.ts";
import { commandSections, commandTable } from "./command-table.ts";

/**
 * The command `agent-worker`. It loads only what `--help` and `--version` need, and imports nothing of Node: importing
 * `node:fs` or opening standard output takes a tenth of the time that an empty program takes.
 */
const { writeSync } = process.getBuiltinModule("node:fs");

const args = process.argv.slice(2);
const [name] = args;
if (name === undefined || name === "--help" || name === "-h" || (name === "help" && args.length === 1)) {
  print(overview());
} else if (name === "--version" || name === "-v" || (name === "version" && args.length === 1))
  print(`${ownVersion()}\n`);
else process.exitCode = await (await import("./run-command.ts")).runCommand(args, commandTable);

function overview(): string {
  const width = Math.max(...commandTable.map((each) => each.name.length));
  const sections = commandSections.flatMap(({ title, entries }) => [
    "",
    `${title}:`,
    ...entries.map((each) => `  ${each.name.padEnd(width)}  ${each.summary}`),
  ]);
  return [
    `agent-worker ${ownVersion()}: teams of AI agents on your machine`,
    "",
    "Usage: agent-worker COMMAND [ARGUMENTS]",
    ...sections,
    "",
    "agent-worker COMMAND --help shows how to use one, agent-worker help topics the guides. Start with: agent-worker demo",
    "",
  ].join("\n");
}

function print(text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EAGAIN") process.stdout.write(rest);
    else if (code !== "EPIPE") {
      process.stderr.write(`Error: the output cannot be written (${String(code)}).\n`);
      process.exitCode = 1;
    }
  }
}
