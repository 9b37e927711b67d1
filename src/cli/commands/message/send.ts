import type { ReceiptView } from "../../../contract/messages.ts";
import { defaultAgent } from "../../arguments/default-target.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { formatSpace } from "../../output/format-space.ts";

const LANES = ["immediate", "normal", "background"] as const;

export const send = defineCommand({
  about: [
    "Sends a message and prints its receipt: from then on it is kept and will be answered, whatever happens.",
    "TARGET is alice (direct), alice@review (in a workspace), or @review (the channel, where @name wakes that agent).",
    "With --wait, exit code 0 says that it was answered, or deliberately left unanswered; 1 that it was not.",
    "With a message alone it goes to the only agent there is. MESSAGE - is read from standard input.",
    "With --file the file is kept as a resource, whatever is in it, and the message names it; MESSAGE may be left out.",
  ].join("\n"),
  words: ["[TARGET]", "[MESSAGE]"],
  options: {
    to: { value: "TARGET", about: "Where it goes, instead of TARGET before the message" },
    file: { value: "PATH", about: "Send this file too: at most 5 MiB, text or not" },
    wait: { short: "w", about: "Follow until it is answered, and print the answer" },
    lane: { value: "LANE", about: "How urgent it is: immediate, normal or background" },
    quiet: { short: "q", about: "With --wait at a terminal: the answer and nothing else" },
    key: { value: "KEY", about: "Idempotency key: the same key is accepted once" },
  },
  examples: [
    'agent-worker send alice "Review this change"',
    'agent-worker send @review "@alice focus on the login"',
    "git diff | agent-worker send alice - --wait",
    'agent-worker send alice "What is wrong here?" --file screenshot.png',
  ],

  async run(invocation) {
    const { words, options } = invocation;
    if (words.length === 2 && options.to !== undefined) {
      throw new UsageError("The target is given twice: as a word and with --to.", "Quote a message of several words.");
    }
    const { to, message } =
      options.file === undefined ? await addressed(invocation) : await withFile(invocation, options.file);
    const lane = oneOf("--lane", options.lane, LANES);
    const request = { to, message, lane, idempotencyKey: options.key };
    if (options.wait) {
      const { sendAndWait } = await import("../../follow/send-and-wait.ts");
      return sendAndWait(invocation, request);
    }
    const receipt = await invocation.call("send-message", request);
    return invocation.print(receipt, receiptText(receipt));
  },
});

async function addressed(invocation: SendInvocation): Promise<{ readonly to: string; readonly message: string }> {
  const { words, options, terminal } = invocation;
  const text = options.to === undefined && words.length === 2 ? words[1] : words[0];
  if (text === undefined) throw new UsageError("MESSAGE is missing.");
  const to = options.to ?? (words.length === 2 ? words[0] : undefined) ?? (await defaultAgent(invocation, text));
  return { to, message: await textArgument(text, terminal) };
}

/** Makes the file a resource of the space that the message goes to. */
async function withFile(invocation: SendInvocation, path: string) {
  const { words, options, terminal, call } = invocation;
  const [to, text] = options.to === undefined ? words : [options.to, words[0]];
  if (to === undefined)
    throw new UsageError("TARGET is missing.", "Say who gets it: agent-worker send alice --file PATH");
  const { readFileContent } = await import("../../arguments/file-content.ts");
  const { fileMessage } = await import("../../arguments/file-message.ts");
  const { name, ...content } = readFileContent(path, terminal.cwd);
  const resource = await call("create-resource", { target: to, ...content });
  return { to, message: fileMessage(await textArgument(text, terminal), name, resource) };
}

type SendInvocation = Pick<Invocation, "terminal" | "call"> & {
  readonly words: readonly string[];
  readonly options: { readonly to?: string | undefined };
};

function receiptText({ id, space, recipients, resource, duplicate, warnings }: ReceiptView): string {
  const lanes = recipients.map(({ agent, lane }) => `${agent} (${lane})`).join(", ");
  return [
    `${duplicate ? "Accepted before" : "Sent"}: ${id} ${recipients.length === 0 ? `in ${formatSpace(space)}, wakes nobody` : `to ${lanes}`}`,
    ...(resource === null ? [] : [`It is long: the whole of it is in ${resource}`]),
    ...warnings.map((warning) => `Note: ${warning}`),
    "",
  ].join("\n");
}
