import type { DeliveryView } from "../../../contract/inbox.ts";
import { EXPECTED_SPACE, LIMIT } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { formatSpace } from "../../output/format-space.ts";
import { firstLine } from "../../output/visible-text.ts";

const list = defineCommand({
  about: "Lists what could not be delivered after the last retry, newest first, with the reason.",
  words: ["[TARGET]"],
  options: { limit: LIMIT },
  examples: ["agent-worker dead list", "agent-worker dead list @review"],

  async run({ words: [target], options, call, print }) {
    const { deliveries } = await call("list-dead-letters", { target, limit: wholeNumber("-n", options.limit) });
    return print({ deliveries }, () => deliveries.map(deadText).join("") || "There are no dead letters.\n");
  },
});

const retry = defineCommand({
  about: "Delivers a dead letter once more, with all its attempts to use again.",
  words: ["ID"],
  options: { target: EXPECTED_SPACE },
  examples: ["agent-worker dead retry dlv_0123456789"],

  async run({ words: [id = ""], options: { target }, call, print }) {
    const retried = await call("retry-dead-letter", { id, target });
    return print(retried, `${retried.agent} gets it once more.\n`);
  },
});

const drop = defineCommand({
  about: "Gives up on a dead letter for good. Its message stays in the channel.",
  words: ["ID"],
  options: { target: EXPECTED_SPACE },
  examples: ["agent-worker dead drop dlv_0123456789"],

  async run({ words: [id = ""], options: { target }, call, print }) {
    const dropped = await call("drop-dead-letter", { id, target });
    return print(dropped, `Dropped ${dropped.id}.\n`);
  },
});

export const dead: CommandGroup = {
  about: "Dead letters: what could not be delivered, and waits for you to decide.",
  entries: [
    { name: "list", summary: "List the dead letters", load: async () => list },
    { name: "retry", summary: "Deliver one once more", load: async () => retry },
    { name: "drop", summary: "Give one up for good", load: async () => drop },
  ],
};

function deadText({ id, agent, attempts, reason, message }: DeliveryView): string {
  const tries = attempts === 0 ? "" : `, after ${countOf(attempts, "attempt")}`;
  const line = `${message.from} in ${formatSpace(message.space)}: ${firstLine(message.content)}`;
  return `${id}  for ${agent}${tries}: ${firstLine(reason ?? "no reason is known")}\n  ${line}\n`;
}
