import type { ScheduleFiringView, ScheduleView } from "../../../contract/schedules.ts";
import { actionWords } from "../../arguments/action-words.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { defineCommand } from "../../command.ts";
import { firstLine } from "../../output/visible-text.ts";

export const schedule = defineCommand({
  about: [
    "Shows, sets, pauses or clears what wakes an agent at times; run wakes it now, and history lists the last times. An interval has always the same length and starts anew with every",
    "run of the agent; a cron expression does not. Times that were missed fire once. The schedule of a workspace rests",
    "while the workspace is not running.",
  ].join("\n"),
  words: ["[TARGET]", "[set|clear|pause|resume|run|history]", "[WHEN]"],
  options: {
    prompt: { value: "TEXT", about: "What it is told when it wakes" },
    tz: { value: "ZONE", about: "Time zone of a cron expression, such as Europe/Berlin" },
  },
  examples: [
    "agent-worker schedule",
    'agent-worker schedule alice set 30m --prompt "Look at the open todos"',
    'agent-worker schedule @review set "0 9 * * 1-5" --tz Europe/Berlin',
    "agent-worker schedule alice pause",
    "agent-worker schedule alice run",
    "agent-worker schedule alice clear",
  ],

  async run({ words, options, call, print }) {
    const [target, action] = words;
    if (action === undefined || target === undefined) {
      const { schedules } = await call("list-schedules", { target });
      return print({ schedules }, () => schedules.map(scheduleText).join("") || "Nothing is scheduled.\n");
    }
    const chosen = oneOf("ACTION", action, ["set", "clear", "pause", "resume", "run", "history"]);
    if (chosen !== "set") actionWords(words, ["TARGET", chosen]);
    switch (chosen) {
      case "clear": {
        const cleared = await call("clear-schedule", { target });
        return print(cleared, `${cleared.target} is not woken any more.\n`);
      }
      case "pause":
      case "resume": {
        const view = await call(`${chosen}-schedule`, { target });
        return print(view, () => scheduleText(view));
      }
      case "run": {
        const run = await call("run-schedule", { target });
        return print(run, `Woken: ${run.woken.join(", ")}.\n`);
      }
      case "history": {
        const history = await call("list-schedule-firings", { target });
        return print(history, () => history.firings.map(firingText).join("") || "It has woken nobody yet.\n");
      }
      case "set":
    }
    const [when] = actionWords(words, ["TARGET", "set", "WHEN"]);
    const { prompt, tz: timeZone } = options;
    const view = await call("set-schedule", { target, wakeup: when, prompt, timeZone });
    return print(view, () => scheduleText(view));
  },
});

function firingText({ at, agent, space, state, run }: ScheduleFiringView): string {
  return `${at} ${agent} in ${space}: ${state}${run === null ? "" : `, ${run}`}\n`;
}

function scheduleText({ target, wakeup, timeZone, prompt, agents, reason, nextAt, lastFiredAt }: ScheduleView): string {
  const zone = timeZone === null ? "" : ` (${timeZone})`;
  const whom = agents.length === 0 ? "nobody yet" : agents.join(", ");
  const when = nextAt === null ? `rests: ${reason}` : `next ${nextAt}`;
  const last = lastFiredAt === null ? "" : nextAt === null ? ` Last ${lastFiredAt}` : `, last ${lastFiredAt}`;
  const promptLine = prompt === null ? "" : `  ${firstLine(prompt)}\n`;
  return `${target}: ${wakeup}${zone}, wakes ${whom}, ${when}${last}\n${promptLine}`;
}
