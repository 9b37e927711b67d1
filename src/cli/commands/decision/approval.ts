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

const listApprovals = defineCommand({
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
    "agent-worker approval list --full",
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
  about: [
    "Allows a tool call that waits for you. The run goes on and makes it. With --run the same command, or the same file,",
    "is not asked about again until the run ends. With --always a rule is added to the file of the agent.",
  ].join("\n"),
  words: ["ID"],
  options: {
    ...DECISION_OPTIONS,
    run: { about: "Also the same call again, until the run ends" },
    always: { about: "Also from now on: adds a rule to the file of the agent" },
  },
  examples: ["agent-worker approve apr_0123456789", "agent-worker approve apr_0123456789 --always"],

  async run({ words: [id = ""], options: { reason, target, run, always }, call, print }) {
    const rule = always === true ? await call("preview-allow-rule", { id }) : undefined;
    const scope = always === true ? "always" : run === true ? "run" : "once";
    const approval = await call("approve", { id, reason, target, scope });
    const added = rule === undefined ? "" : ` Added to ${rule.file}: allow ${rule.patterns.join(", ")}`;
    return print(
      rule === undefined ? approval : { ...approval, file: rule.file, patterns: rule.patterns },
      `${approval.agent} may call ${approval.tool}.${added}\n`,
    );
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
export function approvalText(approval: ApprovalView, whole: Paint | undefined): string {
  const { id, agent, space, tool, args, state, reason, requestedAt } = approval;
  const decided = state === "pending" ? "" : ` ${state}${reason === null ? "" : `: ${firstLine(reason)}`}`;
  const call = whole === undefined ? `  ${tool} ${firstLine(args)}\n` : callText(whole, tool, args);
  return `${id}  ${agent} in ${formatSpace(space)}, ${requestedAt}${decided}\n${call}`;
}
