import type { DeliveryView } from "../../contract/inbox.ts";
import type { DeliveryWithMessage } from "../../ports/store/delivery.ts";
import { toMessageView } from "../messages/view.ts";

export function toDeliveryView({ delivery, message }: DeliveryWithMessage): DeliveryView {
  const { state } = delivery;
  return {
    id: delivery.id,
    agent: delivery.agent,
    lane: delivery.lane,
    state: state.status,
    attempts: state.attempts,
    reason: state.status === "dead" ? state.reason : null,
    message: toMessageView(message),
  };
}
