import type { DeliveryView } from "../../../contract/inbox.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { EXPECTED_SPACE, LIMIT } from "../../arguments/option.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { formatSpace } from "../../output/format-space.ts";
import { firstLine } from "../../output/visible-text.ts";
import { asksForMany, CHOICE, mayDoAll, readChoice, settleMany } from "./many-dead-letters.ts";

const PAGE = 500;

const list = defineCommand({
  about: "Lists what could not be delivered after the last retry, newest first, with the reason.",
  words: ["[TARGET]"],
  options: {
    limit: LIMIT,
    ...CHOICE,
    before: { value: "ID", about: "Go on after this one of the list" },
  },
  examples: [
    "agent-worker dead list",
    "agent-worker dead list @review",
    "agent-worker dead list --agent alice --since 2h",
  ],

  async run({ words: [target], options, terminal, call, print }) {
    const { all } = options;
    const limit = all ? PAGE : wholeNumber("-n", options.limit);
    const choice = readChoice(options);
    let { before } = options;
    const deliveries: DeliveryView[] = [];
    for (;;) {
      const page = await call("list-dead-letters", { target, ...choice, before, limit });
      deliveries.push(...page.deliveries);
      before = page.deliveries.at(-1)?.id;
      if (all && page.deliveries.length === PAGE) continue;
      const { total } = page;
      return print({ deliveries, total }, () => {
        const rest = deliveries.length < total ? terminal.hint(`${pageText(deliveries, total)}\n`) : "";
        return deliveries.map(deadText).join("") + rest || "There are no dead letters.\n";
      });
    }
  },
});

const MANY = { ...CHOICE, target: EXPECTED_SPACE, yes: { short: "y", about: "Do not ask" } } as const;

const retry = defineCommand({
  about: "Delivers a dead letter once more, or many of them, with all their attempts to use again.",
  words: ["[ID]"],
  options: MANY,
  examples: ["agent-worker dead retry dlv_0123456789", "agent-worker dead retry --agent alice --since 2h"],

  async run(invocation) {
    const { words, options, call, print } = invocation;
    if (asksForMany(words[0], options)) {
      if (!(await mayDoAll(invocation, "retry", "Deliver", "once more"))) return EXIT.refused;
      const { settled, refused } = await settleMany(invocation, "retry-dead-letters");
      return print({ retried: settled, refused }, () => `Delivered once more: ${settled}.\n${refusedText(refused)}`);
    }
    const retried = await call("retry-dead-letter", { id: oneId(words[0]), target: options.target });
    return print(retried, `${retried.agent} gets it once more.\n`);
  },
});

const drop = defineCommand({
  about: "Gives up on a dead letter for good, or on many of them. Their messages stay in the channel.",
  words: ["[ID]"],
  options: MANY,
  examples: ["agent-worker dead drop dlv_0123456789", "agent-worker dead drop --all --yes"],

  async run(invocation) {
    const { words, options, call, print } = invocation;
    if (asksForMany(words[0], options)) {
      if (!(await mayDoAll(invocation, "drop", "Drop", "for good"))) return EXIT.refused;
      const { settled, refused } = await settleMany(invocation, "drop-dead-letters");
      return print({ dropped: settled, refused }, () => `Dropped: ${settled}.\n${refusedText(refused)}`);
    }
    const dropped = await call("drop-dead-letter", { id: oneId(words[0]), target: options.target });
    return print(dropped, `Dropped ${dropped.id}.\n`);
  },
});

export const dead: CommandGroup = {
  about: "Dead letters: what could not be delivered, and waits for you to decide.",
  entries: [
    { name: "list", summary: "List the dead letters", load: async () => list },
    { name: "retry", summary: "Deliver one or many once more", load: async () => retry },
    { name: "drop", summary: "Give one or many up for good", load: async () => drop },
  ],
};

function oneId(id: string | undefined): string {
  if (id !== undefined) return id;
  throw new UsageError("ID is missing.", "Name one, or many with --all, --agent NAME or --since 2h.");
}

function deadText({ id, agent, attempts, reason, message }: DeliveryView): string {
  const tries = attempts === 0 ? "" : `, after ${countOf(attempts, "attempt")}`;
  const line = `${message.from} in ${formatSpace(message.space)}: ${firstLine(message.content)}`;
  return `${id}  for ${agent}${tries}: ${firstLine(reason ?? "no reason is known")}\n  ${line}\n`;
}

function pageText(shown: readonly DeliveryView[], total: number): string {
  const all = `${shown.length} of ${countOf(total, "dead letter")}.`;
  const last = shown.at(-1);
  return last === undefined ? all : `${all} The next ones: agent-worker dead list --before ${last.id}`;
}

const MOST_REASONS = 3;

function refusedText(refused: readonly { readonly id: string; readonly reason: string }[]): string {
  if (refused.length === 0) return "";
  const reasons = [...new Set(refused.map(({ reason }) => reason))].slice(0, MOST_REASONS);
  return `They stay as they were: ${refused.length}. ${reasons.map(firstLine).join(" ")}\n`;
}
