import { isReservedName } from "../../domain/names.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { makeDeadLetters } from "../dead-letters/dead-letter.ts";
import { postMessage } from "../messages/post-message.ts";
import { postNotice } from "../messages/post-notice.ts";
import { endRun } from "./end-run.ts";

/** Ends a run as failed: its deliveries become dead letters, and their senders are notified. */
export async function failRun(
  ctx: Execute,
  run: RunRecord,
  deliveries: readonly DeliveryRecord[],
  reason: string,
): Promise<void> {
  await makeDeadLetters(ctx, deliveries, reason, "failed");
  await notifySenders(ctx, run.space, run.agent, deliveries, reason);
  await endRun(ctx, run, "failed", reason);
}

/**
 * Whether the sender wrote this message after it had been told of a failure. It has tried again already: telling it once
 * more would only repeat what failed, until a limit ends it.
 */
async function triedAgain(ctx: Execute, { run }: MessageRecord): Promise<boolean> {
  const writing = run === null ? undefined : await ctx.store.runs.byId(run);
  const cause = writing === undefined ? undefined : await ctx.store.messages.byId(writing.cause);
  return cause?.kind === "notice";
}

/** Notices are not answered by notices. */
function isAnswerable(message: MessageRecord | undefined): message is MessageRecord {
  return message !== undefined && message.kind !== "notice";
}

/**
 * Notifies the senders of messages that became dead letters. An agent gets the notice in its inbox, so that it can
 * react, once; a person reads it where the message was sent. It belongs to the chain of the failed message, so two agents that
 * fail on each other's messages use up that chain's budget.
 */
export async function notifySenders(
  ctx: Execute,
  space: string,
  agent: string,
  deliveries: readonly DeliveryRecord[],
  reason: string,
): Promise<void> {
  const target = spaceTarget(space);
  const found = await Promise.all(deliveries.map(({ message }) => ctx.store.messages.byId(message)));
  const messages = found.filter(isAnswerable);
  for (const [sender, failed] of Map.groupBy(messages, (message) => message.sender)) {
    const body = `${agent} could not answer ${listIds(failed)}: ${reason}\nSee the dead letters: they can be retried or dropped.`;
    const [first] = failed;
    const wakes = !isReservedName(sender) && first !== undefined && !(await triedAgain(ctx, first));
    const posted =
      target.kind === "channel" && wakes
        ? await postMessage(ctx, {
            target: { ...target, kind: "agent", agent: sender },
            sender: "system",
            kind: "notice",
            body,
            cause: first.id,
          })
        : undefined;
    if (posted?.ok !== true) await postNotice(ctx, target, body);
  }
}

const MAX_LISTED = 3;

function listIds(messages: readonly MessageRecord[]): string {
  const listed = messages
    .slice(0, MAX_LISTED)
    .map(({ id }) => id)
    .join(", ");
  const more = messages.length - MAX_LISTED;
  return more > 0 ? `${listed} and ${more} more` : listed;
}
