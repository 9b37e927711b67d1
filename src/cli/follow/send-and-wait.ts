import type { Client } from "../../client/client.ts";
import type { DeliveryView } from "../../contract/inbox.ts";
import type { MessageView, ReceiptView } from "../../contract/messages.ts";
import type { OperationInput } from "../../contract/operations.ts";
import { EXIT } from "../../contract/service/errors.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Invocation } from "../invocation.ts";
import { formatSpace } from "../output/format-space.ts";
import { paintFor } from "../output/paint.ts";
import { formatSpeech, messageText } from "../output/speech.ts";
import { firstLine } from "../output/visible-text.ts";
import { interruption } from "./interruption.ts";
import { watchSpace } from "./watch-space.ts";

interface Outcome {
  readonly replies: readonly MessageView[];
  /** Dead letters, each with its agent and reason. */
  readonly failed: readonly DeliveryView[];
}

/** Sends a message and waits until every delivery of it is settled. A recipient may settle it without a reply. */
export async function sendAndWait(invocation: Invocation, request: OperationInput<"send-message">): Promise<number> {
  const { terminal, json } = invocation;
  const client = await invocation.client();
  using interrupted = interruption();
  const receipt = await invocation.call("send-message", request);
  if (!json) for (const warning of receipt.warnings) terminal.note(`Note: ${warning}\n`);
  const whileOpen = json ? async () => {} : noteApprovals(invocation, receipt.space);
  const outcome = await untilSettled(client, invocation.call, receipt, whileOpen, interrupted.signal);
  if (outcome === undefined) {
    terminal.note(
      `\nNo longer waiting; the message is kept. Follow it with: agent-worker peek ${formatSpace(receipt.space)} --follow\n`,
    );
    return EXIT.interrupted;
  }
  const { replies, failed } = outcome;
  invocation.print({ ...receipt, replies, failed }, () =>
    replies.map((reply) => replyText(invocation, reply)).join(""),
  );
  if (!json) {
    if (replies.length === 0 && failed.length === 0) terminal.note(silenceText(receipt));
    for (const { agent, reason, id } of failed) {
      terminal.note(`Error: ${agent} could not answer: ${reason ?? "no reason was given"}\n`);
      terminal.note(`Try again with: agent-worker dead retry ${id}\n`);
    }
  }
  return failed.length > 0 ? EXIT.failed : EXIT.ok;
}

async function untilSettled(
  client: Client,
  call: Invocation["call"],
  { id, seq, space, recipients }: ReceiptView,
  whileOpen: () => Promise<void>,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const isOurs = ({ message }: DeliveryView): boolean => message.id === id;
  for await (const _ of watchSpace(client, space, systemClock, signal)) {
    const { deliveries: open } = await call("list-deliveries", { target: space, limit: MANY });
    if (recipients.length > 0 && open.some(isOurs)) {
      await whileOpen();
      continue;
    }
    const { messages } = await call("peek-channel", { target: space, since: seq, limit: MANY });
    const { deliveries: dead } = await call("list-dead-letters", { target: space, limit: MANY });
    const replies = messages.filter(({ cause }) => cause === id);
    const failed = dead.filter(isOurs);
    // The list of open deliveries was cut off, so ours may still be open.
    if (open.length === MANY && replies.length + failed.length === 0) continue;
    return { replies, failed };
  }
  return undefined;
}

const MANY = 500;

/** Notes each tool call that waits for an approval once. */
function noteApprovals({ call, terminal }: Invocation, space: string): () => Promise<void> {
  const noted = new Set<string>();
  const option = space.startsWith("@") ? ` --target ${formatSpace(space)}` : "";
  return async () => {
    const { approvals } = await call("list-approvals", { target: space });
    for (const { id, agent, tool, args } of approvals.filter((approval) => !noted.has(approval.id))) {
      noted.add(id);
      terminal.note(`${agent} waits for you to decide: ${tool} ${firstLine(args)}\n`);
      terminal.note(
        `Approve with: agent-worker approve ${id}${option}\nRefuse with: agent-worker deny ${id}${option}\n`,
      );
    }
  };
}

function replyText({ terminal }: Invocation, { from, content, resource, mentions }: MessageView): string {
  const layout = { paint: paintFor(terminal), nameWidth: from.length, columns: terminal.columns };
  return formatSpeech(layout, { from, text: messageText({ to: null, content, resource }), mentions });
}

function silenceText({ recipients, space }: ReceiptView): string {
  if (recipients.length === 0)
    return `Nobody in ${formatSpace(space)} was addressed, so nobody answers. Wake somebody with @NAME.\n`;
  return `${recipients.map(({ agent }) => agent).join(", ")} had nothing to say.\n`;
}
