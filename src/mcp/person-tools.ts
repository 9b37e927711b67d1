import type { z } from "zod";
import { person } from "../kernel/caller.ts";
import { Fault } from "../kernel/fault.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { addRule } from "../operations/rules/add-rule.ts";
import { cancelBallot } from "../operations/ballots/cancel-ballot.ts";
import { castVote } from "../operations/ballots/cast-vote.ts";
import { closeWorkspace } from "../operations/workspaces/close-workspace.ts";
import { createAgent } from "../operations/agents/create-agent.ts";
import { createBallot } from "../operations/ballots/create-ballot.ts";
import type { Operation } from "../operations/core/define.ts";
import { deleteAgent } from "../operations/agents/delete-agent.ts";
import { listAgents } from "../operations/agents/list-agents.ts";
import { listBallots } from "../operations/ballots/list-ballots.ts";
import { listDocuments } from "../operations/documents/list-documents.ts";
import { listRules } from "../operations/rules/list-rules.ts";
import { listSoulProposals } from "../operations/souls/list-soul-proposals.ts";
import { listWorkspaces } from "../operations/workspaces/list-workspaces.ts";
import { peekChannel } from "../operations/messages/peek-channel.ts";
import { readDocument } from "../operations/documents/read-document.ts";
import { readInbox } from "../operations/inbox/read-inbox.ts";
import { removeRule } from "../operations/rules/remove-rule.ts";
import { sendMessage } from "../operations/messages/send-message.ts";
import { showAgent } from "../operations/agents/show-agent.ts";
import { showBallot } from "../operations/ballots/show-ballot.ts";
import { showSoul } from "../operations/souls/show-soul.ts";
import { showWorkspace } from "../operations/workspaces/show-workspace.ts";
import { teamTool, type Answer, type Ask, type TeamTool } from "../operations/tools/team-tool.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import { toolHints, toolTitle } from "./tool-hints.ts";
import { toolResult, unknownTool, type ToolResult } from "./tool-result.ts";
import type { ToolSet } from "./tool-set.ts";
import { WORKFLOW_START, workflowStartTool } from "./workflow-start-tool.ts";

/**
 * What a person's own coding agent can do with the team: operations under names that models know, with the schemas the
 * operations have. Approving tool calls and deciding about souls is left out on purpose: a model must not consent in a person's place.
 */
const BEFORE_START: readonly TeamTool[] = [
  operationTool("send", sendMessage),
  operationTool("channel_read", peekChannel),
  operationTool("inbox_read", readInbox),
  operationTool("agent_list", listAgents),
  operationTool("agent_show", showAgent),
  operationTool("agent_create", createAgent),
  operationTool("agent_delete", deleteAgent),
  operationTool("workflow_list", listWorkspaces),
];

const AFTER_START: readonly TeamTool[] = [
  operationTool("workflow_show", showWorkspace),
  operationTool("workflow_stop", closeWorkspace),
  operationTool("proposal_list", listBallots),
  operationTool("proposal_show", showBallot),
  operationTool("proposal_create", createBallot),
  operationTool("proposal_vote", castVote),
  operationTool("proposal_cancel", cancelBallot),
  operationTool("document_list", listDocuments),
  operationTool("document_read", readDocument),
  operationTool("rule_list", listRules),
  operationTool("rule_add", addRule),
  operationTool("rule_remove", removeRule),
  operationTool("soul_show", showSoul),
  operationTool("soul_proposals", listSoulProposals),
];

const BY_NAME = new Map([...BEFORE_START, ...AFTER_START].map((tool) => [tool.name, tool]));

export function personTools(project: RunningProject): ToolSet {
  const all = (): readonly TeamTool[] => [...BEFORE_START, workflowStartTool(project, NEVER), ...AFTER_START];
  return {
    list: () =>
      all().map(({ name, description, inputSchema, uses }) => ({
        name,
        title: toolTitle(name),
        description,
        inputSchema: { ...inputSchema, type: "object" },
        annotations: toolHints(uses),
      })),
    async call(name, args, signal) {
      const tool = name === WORKFLOW_START ? workflowStartTool(project, signal) : BY_NAME.get(name);
      if (tool !== undefined) return inWords(() => tool.call(args, askAsPerson(project)));
      const names = all().map((each) => each.name);
      return unknownTool(name, names);
    },
    takesLong: (name) => name === WORKFLOW_START,
  };
}

const NEVER = new AbortController().signal;

function operationTool(name: string, operation: Operation & { readonly input: z.ZodObject }): TeamTool {
  return teamTool({
    name,
    description: operation.summary,
    input: operation.input.shape,
    uses: [operation],
    call: (args, ask) => ask(operation, args, (output) => JSON.stringify(output)),
  });
}

function askAsPerson({ system }: RunningProject): Ask {
  return async (operation, data, words) => {
    const result =
      operation.kind === "proposal"
        ? await system.propose(person, operation, data)
        : await system.query(person, operation, data);
    if (!result.ok) return result;
    const said = words(result.value);
    return ok(typeof said === "string" ? { text: said, data: result.value } : said);
  };
}

async function inWords(work: () => Promise<Result<Answer, Refusal>>): Promise<ToolResult> {
  const answer = await work().catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    return err<Refusal>({ code: "unavailable", message: error.message, hint: error.hint ?? "Try again later." });
  });
  if (answer.ok) return toolResult(answer.value.text, { data: answer.value.data });
  const { error } = answer;
  const text = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  return toolResult(text, { data: { error }, isError: true });
}
