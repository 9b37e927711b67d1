import type { MessageView } from "../../../contract/messages.ts";
import { LIMIT } from "../../arguments/option.ts";
import { textArgument } from "../../arguments/text-argument.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import type { Terminal } from "../../output/terminal.ts";
import { firstLine } from "../../output/visible-text.ts";
import { Refused } from "../../refused.ts";

/**
 * Commands for agents whose engine has no MCP. Agent and space come from the run token only. Without a token these
 * commands are refused, because they would act as the person.
 */
const send = defineCommand({
  about: "Says something in the channel of the run, where @name wakes that colleague, or with --to to one colleague.",
  words: ["MESSAGE|-"],
  options: {
    to: { value: "NAME", about: "A colleague, instead of the channel" },
    key: { value: "KEY", about: "The same key is accepted once" },
  },
  examples: ['agent-worker context send "@bob the draft is ready"'],

  async run({ words: [message = ""], options: { to, key }, terminal, call, print }) {
    checkRunToken(terminal);
    const text = await textArgument(message, terminal);
    const receipt = await call("send-message", { message: text, to, idempotencyKey: key });
    return print(receipt, () => {
      const woken = receipt.recipients.map(({ agent }) => agent).join(", ");
      const lines = [`Sent as ${receipt.id}. It wakes ${woken === "" ? "nobody" : woken}.`, ...receipt.warnings];
      return `${lines.join("\n")}\n`;
    });
  },
});

const read = defineCommand({
  about: "Reads the channel of the run, oldest first. What waited for you counts as read when your run succeeds.",
  options: {
    limit: { short: "n", value: "N", about: "The last so many messages (50)" },
    since: { value: "SEQ", about: "Only messages after this number" },
  },
  examples: ["agent-worker context read", "agent-worker context read --since 120"],

  async run({ options, terminal, call, print }) {
    checkRunToken(terminal);
    const page = { limit: wholeNumber("-n", options.limit), since: wholeNumber("--since", options.since) };
    const { messages } = await call("read-channel", page);
    return print({ messages }, () => messages.map(messageText).join("") || "No messages.\n");
  },
});

const inbox = defineCommand({
  about: "Lists what waits for you: urgent first, then in the order of arrival.",
  options: { limit: LIMIT },
  examples: ["agent-worker context inbox"],

  async run({ options, terminal, call, print }) {
    checkRunToken(terminal);
    const { deliveries } = await call("read-inbox", { limit: wholeNumber("-n", options.limit) });
    return print({ deliveries }, () => {
      const lines = deliveries.map(
        ({ id, lane, message }) => `${id}  ${lane}, from ${message.from}: ${firstLine(message.content)}\n`,
      );
      return lines.join("") || "Nothing waits for you.\n";
    });
  },
});

const ack = defineCommand({
  about: "Acknowledges what you have handled, so that it leaves your inbox.",
  words: ["ID", "[ID...]"],
  examples: ["agent-worker context ack dlv_0123456789"],

  async run({ words, terminal, call, print }) {
    checkRunToken(terminal);
    const acked = await call("ack-deliveries", { ids: [...words] });
    return print(acked, `Acknowledged ${acked.acked.join(", ") || "nothing new"}.\n`);
  },
});

export const context: CommandGroup = {
  about: [
    "For people: personal contexts that are in the store, as files and back.",
    "For agents whose engine has no MCP: the channel and the inbox of the run they are in.",
  ].join("\n"),
  entries: [
    { name: "send", summary: "Say something in the channel", load: async () => send },
    { name: "read", summary: "Read the channel", load: async () => read },
    { name: "inbox", summary: "List what waits for you", load: async () => inbox },
    { name: "ack", summary: "Acknowledge what you have handled", load: async () => ack },
    {
      name: "export",
      summary: "Write personal contexts from the store into files",
      load: async () => (await import("./context-transfer.ts")).exportContext,
    },
    {
      name: "import",
      summary: "Bring personal contexts from files into the store",
      load: async () => (await import("./context-transfer.ts")).importContext,
    },
  ],
};

function checkRunToken({ env }: Terminal): void {
  if ((env["AGENT_WORKER_URL"] ?? "") !== "" && (env["AGENT_WORKER_TOKEN"] ?? "") !== "") return;
  throw new Refused({
    code: "unauthenticated",
    message: "This command is for agents at work: there is no token of a run in the environment.",
    hint: "Agents find AGENT_WORKER_URL and AGENT_WORKER_TOKEN there. As yourself, use: agent-worker send, peek, inbox",
  });
}

function messageText({ seq, from, to, content }: MessageView): string {
  const addressee = to === null ? "" : ` to ${to}`;
  return `#${seq} ${from}${addressee}: ${content.trimEnd().replaceAll("\n", "\n  ")}\n`;
}
