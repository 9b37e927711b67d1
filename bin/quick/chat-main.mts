import { chat } from "../../src/cli/commands/message/chat.ts";
import { opensChat } from "../../src/cli/opens-chat.ts";
import { overview } from "../../src/cli/overview.ts";
import { runCommand } from "../../src/cli/run-command.ts";

/** The program of the bundle `chat`: that command, and `agent-worker` without a word on a terminal. */
const args = process.argv.slice(2);
const entries = [{ name: "chat", summary: chat.about, load: () => Promise.resolve(chat) }];

if (args.length === 0 && !opensChat()) process.stdout.write(overview());
else void runCommand(args.length === 0 ? ["chat"] : args, entries).then((exit) => (process.exitCode = exit));
