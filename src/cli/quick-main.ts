import type { Command, CommandEntry } from "./command.ts";
import { inbox } from "./commands/message/inbox.ts";
import { ls } from "./commands/workflow/ls.ts";
import { peek } from "./commands/message/peek.ts";
import { send } from "./commands/message/send.ts";
import { runCommand } from "./run-command.ts";

/**
 * The command `agent-worker`, when it is one of those that people type all day. `scripts/bundle-commands.ts` makes one
 * script of it, and `bin/quick-commands.js` chooses between it and the whole program, `main.ts`.
 */
const entries = [entry("ls", ls), entry("send", send), entry("peek", peek), entry("inbox", inbox)];

void runCommand(process.argv.slice(2), entries).then((exit) => (process.exitCode = exit));

function entry(name: string, command: Command): CommandEntry {
  return { name, summary: command.about, load: () => Promise.resolve(command) };
}
