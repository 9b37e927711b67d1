import type { DeliveryView } from "../../../contract/inbox.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { shortened } from "../../output/visible-text.ts";
import { waitLines } from "../../output/waiting-text.ts";

const SHORT = 70;

export const inbox = defineCommand({
  about: "Lists what waits for an agent, urgent things first. It only looks: nothing is taken as read.",
  words: ["TARGET"],
  options: { limit: { short: "n", value: "N", about: "How many at most (50)" } },
  examples: ["agent-worker inbox alice", "agent-worker inbox alice@review"],

  async run(invocation) {
    const { words, options, terminal } = invocation;
    const target = words[0] ?? "";
    const limit = wholeNumber("--limit", options.limit);
    const { deliveries, waits, obstacles } = await invocation.call("read-inbox", { target, limit });
    if (!invocation.json) for (const obstacle of obstacles) terminal.note(`${obstacle}\n`);
    return invocation.print({ deliveries, waits, obstacles }, () => {
      if (deliveries.length === 0) return `Nothing waits for ${target}.\n`;
      const headings = ["LANE", "STATE", "WHERE", "FROM", "MESSAGE"];
      return [
        formatTable(paintFor(terminal), headings, deliveries.map(rowOf)),
        ...waits.map((wait) => terminal.hint(waitLines(wait))),
      ].join("");
    });
  },
});

function rowOf({ lane, state, attempts, message }: DeliveryView): readonly string[] {
  const tried = attempts > 0 ? `${state} (tried ${attempts})` : state;
  return [lane, tried, formatSpace(message.space), message.from, shortened(message.content, SHORT)];
}
