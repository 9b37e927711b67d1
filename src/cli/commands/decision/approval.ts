import type { ApprovalView } from "../../../contract/approvals.ts";
import { oneOf } from "../../arguments/one-of.ts";
import { EXPECTED_SPACE, LIMIT } from "../../arguments/option.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import { defineCommand, type CommandGroup } from "../../command.ts";
import { callText } from "../../calls/call-text.ts";
import { formatSpace } from "../../output/format-space.ts";
import { paintFor, type Paint } from "../../output/paint.ts";
import { firstLine } from "../../output/visible-text.ts";

const STATES = ["pending", "approved", "denied", "all"] as const;

/** `approval list`, and `pending`. */
export const listApprovals = defineCommand({
  about: "Lists the tool calls that wait for you, newest first. Decide with `approve ID` or `deny ID`.",
  words: ["[TARGET]"],
  options: {
    state: { value: "STATE", about: `${STATES.join(", ")} (pending)` },
    limit: LIMIT,
    full: { about: "The whole call: a command as a command, a change as a diff" },
  },
  examples: [
    "agent-worker approval list",
    "agent-worker approval list @review --state all",
    "agent-worker pending --full",
  ],

  async run({ words: [target], options, terminal, call, print }) {
    const state = oneOf("--state", options.state, STATES);
    const { approvals } = await call("list-approvals", { target, state, limit: wholeNumber("-n", options.limit) });
    const paint = options.full ? paintFor(terminal) : undefined;
    return print(
      { approvals },
      () => approvals.map((each) => approvalText(each, paint)).join("") || "Nothing waits for you.\n",
    );
  },
});

const DECISION_OPTIONS = {
  reason: { value: "TEXT", about: "Told to the agent" },
  target: EXPECTED_SPACE,
};

export const approve = defineCommand({
  about: "Allows a tool call that waits for you. The run goes on and makes it.",
  words: ["ID"],
  options: DECISION_OPTIONS,
  examples: ["agent-worker approve apr_0123456789"],

  async run({ words: [id = ""], options: { reason, target }, call, print }) {
    const approval = await call("approve", { id, reason, target });
    return print(approval, `${approval.agent} may call ${approval.tool}.\n`);
  },
});

export const deny = defineCommand({
  about: "Refuses a tool call that waits for you. The agent is told the reason and goes on without it.",
  words: ["ID"],
  options: DECISION_OPTIONS,
  examples: ['agent-worker deny apr_0123456789 --reason "Not on this branch"'],

  async run({ words: [id = ""], options: { reason, target }, call, print }) {
    const approval = await call("deny", { id, reason, target });
    return print(approval, `${approval.agent} may not call ${approval.tool}.\n`);
  },
});

export const approval: CommandGroup = {
  about: "Tool calls that wait for a person.",
  entries: [{ name: "list", summary: "List the tool calls that wait for you", load: async () => listApprovals }],
};

/** With `whole`, the whole call. */
function approvalText(approval: ApprovalView, whole: Paint | undefined): string {
  const { id, agent, space, tool, args, state, reason, requestedAt } = approval;
  const decided = state === "pending" ? "" : ` ${state}${reason === null ? "" : `: ${firstLine(reason)}`}`;
  const call = whole === undefined ? `  ${tool} ${firstLine(args)}\n` : callText(whole, tool, args);
  return `${id}  ${agent} in ${formatSpace(space)}, ${requestedAt}${decided}\n${call}`;
}
