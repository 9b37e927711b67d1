import type { ReceiptView } from "../../../contract/messages.ts";
import { defaultAgent } from "../../arguments/default-target.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import { formatSpace } from "../../output/format-space.ts";

const LANES = ["immediate", "normal", "background"] as const;

export const send = defineCommand({
  about: [
    "Sends a message and prints its receipt: from then on it is kept and will be answered, whatever happens.",
    "TARGET is alice (direct), alice@review (in a workspace), or @review (the channel, where @name wakes that agent).",
    "With --wait, exit code 0 says that it was answered, or deliberately left unanswered; 1 that it was not.",
    "With a message alone it goes to the only agent there is. MESSAGE - is read from standard input.",
  ].join("\n"),
  words: ["[TARGET]", "[MESSAGE]"],
  options: {
    to: { value: "TARGET", about: "Where it goes, instead of TARGET before the message" },
    wait: { short: "w", about: "Follow until it is answered, and print the answer" },
    lane: { value: "LANE", about: "How urgent it is: immediate, normal or background" },
    key: { value: "KEY", about: "Idempotency key: the same key is accepted once" },
  },
  examples: [
    'agent-worker send alice "Review this change"',
    'agent-worker send @review "@alice focus on the login"',
    "git diff | agent-worker send alice - --wait",
  ],

  async run(invocation) {
    const { words, options, terminal } = invocation;
    if (words.length === 2 && options.to !== undefined) {
      throw new UsageError("The target is given twice: as a word and with --to.", "Quote a message of several words.");
    }
    const text = options.to === undefined && words.length === 2 ? words[1] : words[0];
    if (text === undefined) throw new UsageError("MESSAGE is missing.");
    const to = options.to ?? (words.length === 2 ? (words[0] ?? "") : await defaultAgent(invocation, text));
    const message = await textArgument(text, terminal);
    const lane = oneOf("--lane", options.lane, LANES);
    const request = { to, message, lane, idempotencyKey: options.key };
    if (options.wait) {
      const { sendAndWait } = await import("../../follow/send-and-wait.ts");
      return sendAndWait(invocation, request);
    }
    const receipt = await invocation.call("send-message", request);
    return invocation.print(receipt, () => receiptText(receipt));
  },
});

function receiptText({ id, space, recipients, resource, duplicate, warnings }: ReceiptView): string {
  const lanes = recipients.map(({ agent, lane }) => `${agent} (${lane})`).join(", ");
  return [
    `${duplicate ? "Accepted before" : "Sent"}: ${id} ${recipients.length === 0 ? `in ${formatSpace(space)}, wakes nobody` : `to ${lanes}`}`,
    ...(resource === null ? [] : [`It is long: the whole of it is in ${resource}`]),
    ...warnings.map((warning) => `Note: ${warning}`),
    "",
  ].join("\n");
}
