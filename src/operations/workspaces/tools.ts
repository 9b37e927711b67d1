import type { MemberView } from "../../contract/workspaces.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { teamTool } from "../tools/team-tool.ts";
import { listMembers } from "./list-members.ts";
import { setStatus } from "./set-status.ts";

export const workspaceTools = [
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
    description: "List the team: role, task, state, and how many messages wait.",
    input: {},
    uses: [listMembers],
    call: (_args, ask) => ask(listMembers, {}, ({ members }) => members.map(memberLine).join("\n")),
  }),
];

function memberLine({ agent, role, task, state, waiting, grants }: MemberView): string {
  const facts = [
    role === null ? "" : asLine(role),
    task === null ? "" : `doing: ${asLine(task)}`,
    state === null ? "" : `state: ${asLine(state)}`,
    `${waiting} waiting`,
    grants.length === 0 ? "" : `granted: ${grants.map(({ tool }) => tool).join(", ")}`,
  ];
  return `- ${agent}: ${facts.filter((fact) => fact !== "").join("; ")}`;
}
