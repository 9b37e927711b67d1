import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { Target } from "../../domain/message/target.ts";
import { isReservedName } from "../../domain/names.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { endRun } from "./end-run.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { postMessage } from "../messages/post-message.ts";
import { postNotice } from "../messages/post-notice.ts";
import { spaceTarget } from "../core/space-target.ts";

/** Gives a run up for good: its deliveries become dead letters, with the reason, and their senders are told. */
export async function failRun(
  ctx: Execute,
  run: RunRecord,
  deliveries: readonly DeliveryRecord[],
  reason: string,
): Promise<void> {
  const agent = mailboxAgent(run.mailbox);
  await makeDeadLetters(ctx, deliveries, reason);
  const messages = await Promise.all(deliveries.map(({ message }) => ctx.store.messages.byId(message)));
  await tellSenders(ctx, spaceTarget(run.space), agent, messages.filter(isAnswerable), reason);
  await endRun(ctx, run, "failed", reason);
}

/** Notices are not answered by notices. */
function isAnswerable(message: MessageRecord | undefined): message is MessageRecord {
  return message !== undefined && message.kind !== "notice";
}

/**
 * Agents get it as background work, so that they can react; a person reads it where the message was sent. It belongs to
 * the chain of the message that died: two agents that keep failing each other use up that chain's budget.
 */
async function tellSenders(
  ctx: Execute,
  target: Target,
  agent: string,
  messages: readonly MessageRecord[],
  reason: string,
): Promise<void> {
  for (const [sender, theirs] of Map.groupBy(messages, (message) => message.sender)) {
    const body = `${agent} could not answer ${list(theirs)}: ${reason}\nSee the dead letters: they can be retried or dropped.`;
    const told =
      target.kind === "channel" && !isReservedName(sender)
        ? await postMessage(ctx, {
            target: { ...target, kind: "agent", agent: sender },
            sender: "system",
            kind: "notice",
            body,
            cause: theirs[0]?.id ?? null,
          })
        : undefined;
    if (told?.ok !== true) await postNotice(ctx, target, body);
  }
}

const NAMED = 3;

function list(messages: readonly MessageRecord[]): string {
  const named = messages
    .slice(0, NAMED)
    .map(({ id }) => id)
    .join(", ");
  const more = messages.length - NAMED;
  return more > 0 ? `${named} and ${more} more` : named;
}
