import type { DeliveryView } from "../../contract/inbox.ts";
import type { MessageView } from "../../contract/messages.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import type { MessageRecord } from "../../ports/store/message.ts";

/** From what the store keeps to what every face shows. */
export function toMessageView(message: MessageRecord): MessageView {
  return {
    id: message.id,
    seq: message.seq,
    space: message.space,
    from: message.sender,
    to: message.addressee,
    kind: message.kind,
    content: message.body,
    resource: message.resource,
    mentions: [...message.mentions],
    cause: message.cause,
    run: message.run,
    at: new Date(message.createdAt).toISOString(),
  };
}

export function toDeliveryView({ delivery, message }: DeliveryWithMessage): DeliveryView {
  const { state } = delivery;
  return {
    id: delivery.id,
    agent: mailboxAgent(delivery.mailbox),
    lane: delivery.lane,
    state: state.status,
    attempts: state.attempts,
    reason: state.status === "dead" ? state.reason : null,
    message: toMessageView(message),
  };
}
