import type { MessageView } from "../../contract/messages.ts";
import type { MessageRecord } from "../../ports/store/message.ts";

export function toMessageView(message: MessageRecord): MessageView {
  return {
    id: message.id,
    seq: message.seq,
    space: message.space,
    from: message.sender,
    onBehalfOf: message.onBehalfOf,
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
