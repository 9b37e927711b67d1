import type { ApprovalView } from "../../../contract/approvals.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { firstLine } from "../../output/first-line.ts";
import { spaceLabel } from "../../output/format-space.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";

const STATES = ["pending", "approved", "denied", "all"] as const;

/** Also known as `pending`. */
export const listApprovals = defineCommand({
  about: "Lists the tool calls that wait for you, newest first. Decide with `approve ID` or `deny ID`.",
  words: ["[TARGET]"],
  options: {
    state: { value: "STATE", about: `${STATES.join(", ")} (pending)` },
    limit: { short: "n", value: "N", about: "At most so many (50)" },
  },
  examples: ["agent-worker approval list", "agent-worker approval list @review --state all"],

  async run({ words: [target], options, ask, answer }) {
    const state = oneOf("--state", options.state, STATES);
    const { approvals } = await ask("list-approvals", { target, state, limit: wholeNumber("-n", options.limit) });
    return answer({ approvals }, () => approvals.map(approvalText).join("") || "Nothing waits for you.\n");
  },
});

const DECIDING = {
  reason: { value: "TEXT", about: "Told to the agent" },
  target: { value: "TARGET", about: "Where it is, for a workspace kept in memory: @review" },
};

export const approve = defineCommand({
  about: "Allows a tool call that waits for you. The run goes on and makes it.",
  words: ["ID"],
  options: DECIDING,
  examples: ["agent-worker approve apr_0123456789"],

  async run({ words: [id = ""], options: { reason, target }, ask, answer }) {
    const approval = await ask("approve", { id, reason, target });
    return answer(approval, `${approval.agent} may call ${approval.tool}.\n`);
  },
});

export const deny = defineCommand({
  about: "Refuses a tool call that waits for you. The agent is told the reason and goes on without it.",
  words: ["ID"],
  options: DECIDING,
  examples: ['agent-worker deny apr_0123456789 --reason "Not on this branch"'],

  async run({ words: [id = ""], options: { reason, target }, ask, answer }) {
    const approval = await ask("deny", { id, reason, target });
    return answer(approval, `${approval.agent} may not call ${approval.tool}.\n`);
  },
});

export const approval: CommandGroup = {
  about: "Tool calls that wait for a person.",
  entries: [{ name: "list", summary: "List the tool calls that wait for you", load: async () => listApprovals }],
};

function approvalText({ id, agent, space, tool, args, state, reason, requestedAt }: ApprovalView): string {
  const decided = state === "pending" ? "" : ` ${state}${reason === null ? "" : `: ${firstLine(reason)}`}`;
  return `${id}  ${agent} in ${spaceLabel(space)}, ${requestedAt}${decided}\n  ${tool} ${firstLine(args)}\n`;
}
