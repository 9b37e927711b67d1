import { z } from "zod";
import { operations } from "../contract/operations.ts";
import { person } from "../kernel/caller.ts";
import { Fault } from "../kernel/fault.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { err, ok, type Result } from "../kernel/result.ts";
import type { Operation } from "../operations/core/define.ts";
import { implementations } from "../operations/registry.gen.ts";
import { personOwnTool } from "../operations/own-proposals/own-tool.ts";
import { teamTool, type Answer, type Ask, type TeamTool } from "../operations/tools/team-tool.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import { plainWords } from "./plain-words.ts";
import { SEND, sendTool } from "./send-tool.ts";
import { toolHints, toolTitle } from "./tool-hints.ts";
import { toolResult, unknownTool, type ToolResult } from "./tool-result.ts";
import type { ToolSet } from "./tool-set.ts";
import { WORKFLOW_START, workflowStartTool } from "./workflow-start-tool.ts";

/**
 * The operations that a person's own coding agent has as tools, by tool name: those that declare such a name, with
 * their own schemas.
 */
const OPERATION_TOOLS: ReadonlyMap<string, TeamTool> = new Map(
  operations.flatMap(({ name, summary, input, personTool }) => {
    if (personTool === undefined || personTool === SEND || !(input instanceof z.ZodObject)) return [];
    const operation: Operation = implementations[name];
    const tool = teamTool({
      name: personTool,
      description: summary,
      input: input.shape,
      uses: [operation],
      call: (args, ask) => ask(operation, args, plainWords),
    });
    return [[personTool, tool]];
  }),
);

export function personTools(project: RunningProject): ToolSet {
  /** Those that may wait are made for each call, because its signal ends the waiting. */
  const waiting = (signal: AbortSignal): readonly TeamTool[] => [
    sendTool(project, signal),
    workflowStartTool(project, signal),
  ];
  const { ownProposals } = project.services;
  /** Last, so that the order of the others does not change. Those that only agents may make are left out. */
  const own = ownProposals.all().filter(({ operation }) => operation.access(person) === undefined);
  const ownTools = new Map(own.map((each) => [each.name, personOwnTool(ownProposals, each)]));
  const all = (): readonly TeamTool[] => [...OPERATION_TOOLS.values(), ...waiting(NEVER), ...ownTools.values()];
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
      const tool =
        waiting(signal).find((each) => each.name === name) ?? OPERATION_TOOLS.get(name) ?? ownTools.get(name);
      if (tool !== undefined) return toToolResult(tool.call(args, askAsPerson(project)));
      const names = all().map((each) => each.name);
      return unknownTool(name, names);
    },
    takesLong: (name) =>
      name === WORKFLOW_START || name === SEND || own.some((each) => each.prepares && each.name === name),
  };
}

const NEVER = new AbortController().signal;

function askAsPerson({ system }: RunningProject): Ask {
  return async (operation, data, format) => {
    const result =
      operation.kind === "proposal"
        ? await system.propose(person, operation, data)
        : await system.query(person, operation, data);
    if (!result.ok) return result;
    const answer = format(result.value);
    return ok(typeof answer === "string" ? { text: answer, data: result.value } : answer);
  };
}

async function toToolResult(calling: Promise<Result<Answer, Refusal>>): Promise<ToolResult> {
  const answer = await calling.catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    return err<Refusal>({ code: "unavailable", message: error.message, hint: error.hint ?? "Try again later." });
  });
  if (answer.ok) return toolResult(answer.value.text, { data: answer.value.data });
  const { error } = answer;
  const text = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  return toolResult(text, { data: { error }, isError: true });
}
