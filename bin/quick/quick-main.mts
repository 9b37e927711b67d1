import type { Command, CommandEntry } from "../../src/cli/command.ts";
import { inbox } from "../../src/cli/commands/message/inbox.ts";
import { peek } from "../../src/cli/commands/message/peek.ts";
import { send } from "../../src/cli/commands/message/send.ts";
import { ls } from "../../src/cli/commands/workflow/ls.ts";
import { runCommand } from "../../src/cli/run-command.ts";

/** The program of the bundle `commands`: `src/cli/main.ts` with these four commands and no others. */
const entries = [entry("ls", ls), entry("send", send), entry("peek", peek), entry("inbox", inbox)];

void runCommand(process.argv.slice(2), entries).then((exit) => (process.exitCode = exit));

function entry(name: string, command: Command): CommandEntry {
  return { name, summary: command.about, load: () => Promise.resolve(command) };
}
