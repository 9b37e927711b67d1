import type { DeliveryView } from "../../../contract/inbox.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { countOf } from "../../output/count-of.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor } from "../../output/paint.ts";
import { formatTable } from "../../output/table.ts";
import { shortened } from "../../output/visible-text.ts";
import { waitLines } from "../../output/waiting-text.ts";
import { Refused } from "../../refused.ts";

const SHORT = 70;

export const inbox = defineCommand({
  about: [
    "Lists what waits for an agent, urgent things first. It only looks: nothing is taken as read.",
    "With --drop it takes what waits out of the inbox: nobody answers it, and it stays in the channel.",
  ].join("\n"),
  words: ["TARGET"],
  options: {
    limit: { short: "n", value: "N", about: "How many at most (50)" },
    drop: { about: "Let nobody answer them; stop an agent that works on them first" },
  },
  examples: ["agent-worker inbox alice", "agent-worker inbox alice@review", "agent-worker inbox alice --drop"],

  async run(invocation) {
    const { words, options, terminal } = invocation;
    const target = words[0] ?? "";
    const limit = wholeNumber("--limit", options.limit);
    const { deliveries, waits, obstacles } = await invocation.call("read-inbox", { target, limit });
    if (options.drop) return dropAll(invocation, target, deliveries);
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

async function dropAll(
  { call, print }: Invocation,
  target: string,
  deliveries: readonly DeliveryView[],
): Promise<number> {
  if (deliveries.length === 0) return print({ dropped: [] }, `Nothing waits for ${target}.\n`);
  if (deliveries.some(({ state }) => state === "leased")) {
    throw new Refused({
      code: "conflict",
      message: `${target} works on it now. Nothing was dropped.`,
      hint: `Stop it first: agent-worker stop ${target}`,
    });
  }
  const { acked } = await call("ack-deliveries", { ids: deliveries.map(({ id }) => id) });
  return print(
    { dropped: acked },
    `Dropped: ${countOf(acked.length, "message")}. What was said stays in the channel.\n`,
  );
}

function rowOf({ lane, state, attempts, message }: DeliveryView): readonly string[] {
  const tried = attempts > 0 ? `${state} (tried ${attempts})` : state;
  return [lane, tried, formatSpace(message.space), message.from, shortened(message.content, SHORT)];
}
