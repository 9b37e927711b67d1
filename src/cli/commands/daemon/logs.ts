import { homeFolder } from "../../../client/home.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { defineCommand } from "../../command.ts";
import { followFile, lastLines } from "../../follow/follow-file.ts";
import { interruption } from "../../interruption.ts";
import { formatLogLine } from "../../output/log-line.ts";
import { paintFor } from "../../output/paint.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";

export const daemonLogs = defineCommand({
  about:
    "Shows the end of the daemon's log. The log is bounded and holds no secrets; --json prints the lines as they are.",
  options: {
    lines: { short: "n", value: "N", about: "How many lines (50)" },
    follow: { short: "f", about: "Go on with what comes, until Ctrl-C" },
  },
  examples: ["agent-worker daemon logs -n 20", "agent-worker daemon logs --follow"],

  async run({ options, terminal, json }) {
    const count = options.lines === undefined ? 50 : wholeNumber("--lines", options.lines);
    const { join } = await import("node:path");
    const file = join(homeFolder(terminal.env), "logs", "daemon.log");
    const paint = paintFor(terminal);
    const show = (line: string): void => terminal.print(`${json ? line : formatLogLine(line, paint)}\n`);
    const { lines, end } = lastLines(file, count);
    if (lines.length === 0 && !options.follow && !json) terminal.note(`There is no log at ${file} yet.\n`);
    lines.forEach(show);
    if (!options.follow) return EXIT.ok;
    using interrupted = interruption();
    for await (const line of followFile(file, end, systemClock, interrupted.signal)) show(line);
    return EXIT.interrupted;
  },
});
