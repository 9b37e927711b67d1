import type { GuardUsageView, UsageView } from "../../../contract/usage.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { costText, guardCostText, tokenText } from "../../output/usage-text.ts";

export const stats = defineCommand({
  about: "Shows the tokens, time and cost of the work: of the project, an agent, a workspace, or an agent in one.",
  words: ["[TARGET]"],
  options: { since: { value: "DAY", about: "First day to count, in UTC: 2026-01-31" } },
  examples: ["agent-worker stats", "agent-worker stats @review --since 2026-01-01"],

  async run({ words: [target], options: { since }, terminal, call, print }) {
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
