import { type MessageView, type ReceiptView, channelPage } from "../../contract/messages.ts";
import { formatMessage } from "../tools/format-message.ts";
import { teamTool } from "../tools/team-tool.ts";
import { peekChannel } from "./peek-channel.ts";
import { readChannel } from "./read-channel.ts";
import { sendMessage } from "./send-message.ts";

const { message, to, idempotencyKey } = sendMessage.input.shape;
const { since, limit } = channelPage.shape;

const CHANNEL_SEND_TOOL = "channel_send";

export const messageTools = [
  teamTool({
    name: CHANNEL_SEND_TOOL,
    description: "Send a message now, to all or with `to` to one colleague. Your final text is then not sent as well.",
    input: {
      message: message.describe("@name wakes that colleague."),
      to: to.describe("Name of a colleague."),
      idempotency_key: idempotencyKey,
    },
    shown: { idempotency_key: null },
    uses: [sendMessage],
    returnsUntrusted: false,
    call: ({ message: text, to: colleague, idempotency_key }, ask) =>
      ask(sendMessage, { message: text, to: colleague, idempotencyKey: idempotency_key }, receiptText),
  }),
  teamTool({
    name: "channel_read",
    description: "Read messages, oldest first: the last ones, or those after `since`.",
    input: { since: since.describe("A seq number."), limit },
    uses: [readChannel],
    call: (page, ask) => ask(readChannel, page, ({ messages }) => pageText(messages)),
  }),
  // Not shown: only programs need to look without taking anything as read.
  teamTool({
    name: "channel_peek",
    description: "Look at the messages of the channel, oldest first, without taking any as read.",
    input: { limit, since },
    uses: [peekChannel],
    call: (page, ask) => ask(peekChannel, page, ({ messages }) => pageText(messages)),
  }),
];

function receiptText({ id, seq, space, recipients, resource, duplicate, warnings }: ReceiptView): string {
  const lines = [duplicate ? `This was sent before, as ${id} (seq ${seq}).` : `Sent as ${id} (seq ${seq}).`];
  if (recipients.length > 0) {
    lines.push(`It wakes ${recipients.map(({ agent, lane }) => `${agent} (${lane})`).join(", ")}.`);
  } else if (space.startsWith("@")) lines.push("It wakes nobody; @name in the message would.");
  if (resource !== null) lines.push(`It is long: the channel shows its beginning, the whole is resource ${resource}.`);
  return [...lines, ...warnings].join("\n");
}

function pageText(messages: readonly MessageView[]): string {
  const last = messages.at(-1);
  if (last === undefined) return "No messages.";
  const shown = messages.map((each) => formatMessage(each)).join("\n");
  return `${shown}\n${messages.length} shown, the last has seq ${last.seq}; pass it as since to read on from there.`;
}
