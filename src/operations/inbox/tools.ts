import type { MemberView } from "../../contract/workspaces.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { ackDeliveries } from "./ack-deliveries.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { readInbox } from "./read-inbox.ts";
import { setStatus } from "../workspaces/set-status.ts";
import { formatMessage } from "../tools/format-message.ts";
import { teamTool } from "../tools/team-tool.ts";

export const inboxTools = [
  teamTool({
    name: "my_inbox",
    description:
      "List what waits for you here, oldest first, also what arrived during this turn. Acknowledges nothing.",
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
  teamTool({
    name: "my_status_set",
    description: setStatus.summary,
    input: setStatus.input.shape,
    uses: [setStatus],
    returnsUntrusted: false,
    call: (status, ask) =>
      ask(setStatus, status, ({ task, state }) => `Your task: ${task ?? "none"}. Your state: ${state ?? "none"}.`),
  }),
  teamTool({
    name: "team_members",
    description: "List who takes part here: role, current task, state, and how many messages wait for each.",
    input: {},
    uses: [listMembers],
    call: (_args, ask) => ask(listMembers, {}, ({ members }) => members.map(memberLine).join("\n")),
  }),
];

function memberLine({ agent, role, task, state, waiting }: MemberView): string {
  const facts = [
    role === null ? "" : asLine(role),
    task === null ? "" : `doing: ${asLine(task)}`,
    state === null ? "" : `state: ${asLine(state)}`,
    `${waiting} waiting`,
  ];
  return `- ${agent}: ${facts.filter((fact) => fact !== "").join("; ")}`;
}
