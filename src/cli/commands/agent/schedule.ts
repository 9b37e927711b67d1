import type { ScheduleView } from "../../../contract/schedules.ts";
import { defineCommand } from "../../command.ts";
import { firstLine } from "../../output/first-line.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { takeWords } from "../../arguments/take-words.ts";

export const schedule = defineCommand({
  about: [
    "Shows, sets or clears what wakes an agent at times. An interval starts anew with every message, a cron expression",
    "does not. Times that were missed fire once.",
  ].join("\n"),
  words: ["[TARGET]", "[set|clear]", "[WHEN]"],
  options: {
    prompt: { value: "TEXT", about: "What it is told when it wakes" },
    tz: { value: "ZONE", about: "Time zone of a cron expression, such as Europe/Berlin" },
  },
  examples: [
    "agent-worker schedule",
    'agent-worker schedule alice set 30m --prompt "Look at the open todos"',
    'agent-worker schedule @review set "0 9 * * 1-5" --tz Europe/Berlin',
    "agent-worker schedule alice clear",
  ],

  async run({ words, options, ask, answer }) {
    const [target, action] = words;
    if (action === undefined || target === undefined) {
      const { schedules } = await ask("list-schedules", { target });
      return answer({ schedules }, () => schedules.map(scheduleText).join("") || "Nothing is scheduled.\n");
    }
    if (oneOf("ACTION", action, ["set", "clear"]) === "clear") {
      takeWords(words, ["TARGET", "clear"]);
      const cleared = await ask("clear-schedule", { target });
      return answer(cleared, `${cleared.target} is not woken any more.\n`);
    }
    const [when] = takeWords(words, ["TARGET", "set", "WHEN"]);
    const { prompt, tz: timeZone } = options;
    const view = await ask("set-schedule", { target, wakeup: when, prompt, timeZone });
    return answer(view, () => scheduleText(view));
  },
});

function scheduleText({ target, wakeup, timeZone, prompt, agents, nextAt, lastFiredAt }: ScheduleView): string {
  const zone = timeZone === null ? "" : ` (${timeZone})`;
  const whom = agents.length === 0 ? "nobody yet" : agents.join(", ");
  const last = lastFiredAt === null ? "" : `, last ${lastFiredAt}`;
  const said = prompt === null ? "" : `  ${firstLine(prompt)}\n`;
  return `${target}: ${wakeup}${zone}, wakes ${whom}, next ${nextAt}${last}\n${said}`;
}
