import { formatMessage } from "../tools/format-message.ts";
import { teamTool } from "../tools/team-tool.ts";
import { ackDeliveries } from "./ack-deliveries.ts";
import { readInbox } from "./read-inbox.ts";

export const inboxTools = [
  teamTool({
    name: "my_inbox",
    description: "List what waits for you here, also what arrived during this turn.",
    input: {},
    uses: [readInbox],
    call: (_args, ask) =>
      ask(readInbox, {}, ({ deliveries }) =>
        deliveries.length === 0
          ? "Your inbox is empty."
          : deliveries
              .map(({ id, lane, state, message }) => formatMessage(message, { delivery: id, lane, state }))
              .join("\n"),
      ),
  }),
  // Not shown: a run that succeeds acknowledges its deliveries.
  teamTool({
    name: "my_inbox_ack",
    description:
      "Mark deliveries as handled, by the ids the inbox shows, so that you are not woken for them. " +
      "What this turn is for is acknowledged by itself when the turn succeeds.",
    input: { ids: ackDeliveries.input.shape.ids.describe("Delivery ids, such as dlv_...") },
    uses: [ackDeliveries],
    returnsUntrusted: false,
    call: ({ ids }, ask) =>
      ask(ackDeliveries, { ids }, ({ acked }) =>
        acked.length === 0 ? "They were acknowledged before." : `Acknowledged: ${acked.join(", ")}.`,
      ),
  }),
];
