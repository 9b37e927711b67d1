import type { OperationInput } from "../../contract/operations.ts";
import type { Client } from "../../client/client.ts";
import { EXIT } from "../../contract/service/errors.ts";
import type { DeliveryView } from "../../contract/inbox.ts";
import type { MessageView, ReceiptView } from "../../contract/messages.ts";
import { systemClock } from "../../kernel/clock.ts";
import { firstLine } from "../output/first-line.ts";
import { interruption } from "../interruption.ts";
import type { Invocation } from "../invocation.ts";
import { paintFor } from "../output/paint.ts";
import { spaceLabel } from "../output/format-space.ts";
import { formatSpeech } from "../output/speech.ts";
import { watchSpace } from "./watch-space.ts";

interface Outcome {
  /** What was said in answer. */
  readonly replies: readonly MessageView[];
  /** Those who could not answer, and why. */
  readonly failed: readonly DeliveryView[];
}

type Ask = Invocation["ask"];
type SendRequest = OperationInput<"send-message">;

/** Sends, then waits until everyone the message was for has dealt with it. Answers in silence count: not all need words. */
export async function sendAndWait(invocation: Invocation, request: SendRequest): Promise<number> {
  const { terminal, json } = invocation;
  const client = await invocation.client();
  using interrupted = interruption();
  const receipt = await invocation.ask("send-message", request);
  if (!json) for (const warning of receipt.warnings) terminal.note(`Note: ${warning}\n`);
  const tell = json ? async () => {} : tellApprovals(invocation, receipt.space);
  const outcome = await untilDealtWith(client, invocation.ask, receipt, tell, interrupted.signal);
  if (outcome === undefined) {
    terminal.note(
      `\nNo longer waiting; the message is kept. Follow it with: agent-worker peek ${spaceLabel(receipt.space)} --follow\n`,
    );
    return EXIT.interrupted;
  }
  const { replies, failed } = outcome;
  invocation.answer({ ...receipt, replies, failed }, () =>
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

async function untilDealtWith(
  client: Client,
  ask: Ask,
  { id, seq, space, recipients }: ReceiptView,
  whileOpen: () => Promise<void>,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const isOurs = ({ message }: DeliveryView): boolean => message.id === id;
  for await (const _ of watchSpace(client, space, systemClock, signal)) {
    const { deliveries: open } = await ask("list-deliveries", { target: space, limit: MANY });
    if (recipients.length > 0 && open.some(isOurs)) {
      await whileOpen();
      continue;
    }
    const { messages } = await ask("peek-channel", { target: space, since: seq, limit: MANY });
    const { deliveries: dead } = await ask("list-dead-letters", { target: space, limit: MANY });
    const replies = messages.filter(({ cause }) => cause === id);
    const failed = dead.filter(isOurs);
    // Of so many that are open, ours may be one that was not listed.
    if (open.length === MANY && replies.length + failed.length === 0) continue;
    return { replies, failed };
  }
  return undefined;
}

const MANY = 500;

/** Says once of each call that it waits for the person who waits here. */
function tellApprovals({ ask, terminal }: Invocation, space: string): () => Promise<void> {
  const told = new Set<string>();
  const where = space.startsWith("@") ? ` --target ${spaceLabel(space)}` : "";
  return async () => {
    const { approvals } = await ask("list-approvals", { target: space });
    for (const { id, agent, tool, args } of approvals.filter((one) => !told.has(one.id))) {
      told.add(id);
      terminal.note(`${agent} waits for you to decide: ${tool} ${firstLine(args)}\n`);
      terminal.note(`Approve with: agent-worker approve ${id}${where}\nRefuse with: agent-worker deny ${id}${where}\n`);
    }
  };
}

function replyText({ terminal }: Invocation, { from, content, resource, mentions }: MessageView): string {
  const whole = resource === null ? "" : `\n(the whole of it: agent-worker resource show ${resource})`;
  const layout = { paint: paintFor(terminal), nameWidth: from.length, columns: terminal.columns };
  return formatSpeech(layout, { from, text: `${content}${whole}`, mentions });
}

function silenceText({ recipients, space }: ReceiptView): string {
  if (recipients.length === 0)
    return `Nobody in ${spaceLabel(space)} was addressed, so nobody answers. Wake somebody with @NAME.\n`;
  return `${recipients.map(({ agent }) => agent).join(", ")} had nothing to say.\n`;
}
