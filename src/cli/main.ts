import { ownVersion } from "../client/own-version.ts";
import { commandTable } from "./command-table.ts";
import { overview } from "./overview.ts";

/**
 * The command `agent-worker`. It loads only what `--help` and `--version` need, and imports nothing of Node: importing
 * `node:fs` or opening standard output takes a tenth of the time that an empty program takes.
 */
const { writeSync } = process.getBuiltinModule("node:fs");

const args = process.argv.slice(2);
const [name] = args;
const isVersion = name === "--version" || name === "-v" || (name === "version" && args.length === 1);
if (name === "--help" || name === "-h" || (name === "help" && args.length === 1)) print(overview());
else if (isVersion) print(`${ownVersion()}\n`);
else if (name === undefined && !(isTerminal() && (await import("./opens-chat.ts")).opensChat())) print(overview());
else
  process.exitCode = await (
    await import("./run-command.ts")
  ).runCommand(name === undefined ? ["chat"] : args, commandTable);

function isTerminal(): boolean {
  const { isatty } = process.getBuiltinModule("node:tty");
  return isatty(0) && isatty(1);
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
