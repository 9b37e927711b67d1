import type { GuardUsageView, UsageView } from "../../../contract/usage.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { costText, guardCostText, tokenText } from "../../output/usage-text.ts";

export const stats = defineCommand({
  about: "Shows the tokens, time and cost of the work: of the project, an agent, a workspace, or an agent in one.",
  words: ["[TARGET]"],
  options: {
    since: { value: "DAY", about: "First day to count, in UTC: 2026-01-31" },
    by: { value: "agent|workflow|workspace|model", about: "What was used on each day, by one of them" },
  },
  examples: ["agent-worker stats", "agent-worker stats @review --since 2026-01-01", "agent-worker stats --by model"],

  async run({ words: [target], options: { since, by }, terminal, call, print }) {
    if (by !== undefined) {
      const history = await call("list-usage-history", { target, since, by: oneOf(by) });
      return print(history, () =>
        formatTable(
          paintFor(terminal),
          ["DAY", by.toUpperCase(), "RUNS", "STEPS", "IN", "OUT", "COST", "TIME"],
          history.days.map(({ day, key, usage }) => [
            day,
            by === "workspace" ? formatSpace(key) : key,
            ...figures(usage),
          ]),
        ),
      );
    }
    const usage = await call("show-usage", { target, since });
    return print(usage, () => {
      if (usage.total.runs === 0 && usage.guard.length === 0) return "Nothing was used yet.\n";
      return formatTable(
        paintFor(terminal),
        ["OF", "", "RUNS", "STEPS", "IN", "OUT", "COST", "TIME"],
        [
          ["total", "", ...figures(usage.total)],
          ...usage.agents.map(({ agent, usage: used }) => ["agent", agent, ...figures(used)]),
          ...usage.spaces.map(({ space, usage: used }) => ["space", formatSpace(space), ...figures(used)]),
          ...usage.days.map(({ day, usage: used }) => ["day", day, ...figures(used)]),
          ...usage.guard.map((used) => ["guard", `${used.agent}: ${used.purpose}`, ...guardFigures(used)]),
        ],
      );
    });
  },
});

const PARTS = ["agent", "workflow", "workspace", "model"] as const;

function oneOf(by: string): (typeof PARTS)[number] {
  const part = PARTS.find((each) => each === by);
  if (part === undefined) throw new UsageError(`--by is one of ${PARTS.join(", ")}.`);
  return part;
}

function figures({ runs, steps, tokens, cost, wallTimeMs }: UsageView): string[] {
  const seconds = `${Math.round(wallTimeMs / 1000)} s`;
  return [String(runs), String(steps), tokenText(tokens.input), tokenText(tokens.output), costText(cost), seconds];
}

/** Questions that were not answered are counted, too. */
function guardFigures({ asked, unanswered, inputTokens, outputTokens, cost, wallTimeMs }: GuardUsageView): string[] {
  const count = unanswered === 0 ? `${asked}` : `${asked} (${unanswered} unanswered)`;
  const seconds = `${Math.round(wallTimeMs / 1000)} s`;
  return ["", count, tokenText(inputTokens), tokenText(outputTokens), guardCostText(cost), seconds];
}
