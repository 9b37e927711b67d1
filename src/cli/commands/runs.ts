import type { RunReceiptView } from "../../contract/run.ts";
import { defineCommand } from "../command.ts";
import { paintFor } from "../paint.ts";
import { formatTable } from "../table.ts";
import { visibleText } from "../visible-text.ts";
import { wholeNumber } from "../whole-number.ts";

export const runs = defineCommand({
  about: [
    "Lists the last runs: of the project, an agent, a workspace, or an agent in one.",
    "With the id of a run: how it ended, what it used, what it was given and what was left out.",
  ].join("\n"),
  words: ["[TARGET]"],
  options: { limit: { short: "n", value: "N", about: "At most so many (20)" } },
  examples: ["agent-worker runs", "agent-worker runs alice@review -n 5", "agent-worker runs run_01hx..."],

  async run({ words: [target], options, terminal, ask, answer }) {
    if (target?.startsWith("run_") === true) {
      const run = await ask("show-run", { run: target });
      return answer(run, () => {
        const { agent, space, startedAt, outcome, state, detail, usage, receipt } = run;
        const where = space === agent ? "direct messages" : space;
        const said = detail === null ? "" : `${visibleText(detail).trimEnd()}\n`;
        const tokens = usage.tokens.total.toLocaleString("en");
        return [
          `${run.id}: ${agent} in ${where}, ${outcome ?? state}, begun ${startedAt}, ${usage.steps} steps, ${tokens} tokens\n`,
          said,
          receipt === null ? "It has not finished a step yet.\n" : receiptText(receipt),
        ].join("");
      });
    }
    const listed = await ask("list-runs", { target, limit: wholeNumber("-n", options.limit) });
    return answer(listed, () => {
      if (listed.runs.length === 0) return "There are no runs yet.\n";
      const rows = listed.runs.map(({ id, agent, space, lane, outcome, state, startedAt }) => [
        id,
        agent,
        space === agent ? "" : space,
        lane,
        outcome ?? state,
        startedAt,
      ]);
      return formatTable(paintFor(terminal), ["RUN", "AGENT", "IN", "LANE", "OUTCOME", "BEGUN"], rows);
    });
  },
});

function receiptText({ tokens, budget, parts, heard, outside }: RunReceiptView): string {
  const lines = parts.map(({ part, tokens: cost, items, names, leftOut }) => {
    const given =
      names.length === 0 ? "" : `: ${names.map(visibleText).join(", ")}${items > names.length ? ", ..." : ""}`;
    const lost = leftOut.map(
      (each) => `\n    left out, ${each.reason}: ${each.count} (${each.names.map(visibleText).join(", ")})`,
    );
    return `  ${part}, ${cost} tokens${given}${lost.join("")}\n`;
  });
  const who =
    heard === undefined ? "" : `  heard: ${heard.join(", ") || "nobody"}${outside === true ? " (outside text)" : ""}\n`;
  return `Given about ${tokens} of ${budget} tokens:\n${lines.join("")}${who}`;
}
