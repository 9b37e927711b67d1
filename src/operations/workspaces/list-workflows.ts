import * as contract from "../../contract/workspaces.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { toProblemView } from "../agents/view.ts";
import { query } from "../core/define.ts";

/** Reads the definitions only: runs no setup and fills in no placeholder. */
export const listWorkflows = query(contract.listWorkflows, {
  access: persons,

  async execute(_data, ctx) {
    const { definitions } = ctx.services;
    await definitions.refresh();
    const broken = definitions.brokenWorkflows();
    const isBroken = new Set(broken.map(({ name }) => name));
    const usable = definitions.workflows().filter(({ name }) => !isBroken.has(name));
    return ok({
      workflows: usable.map(toWorkflowView),
      broken: broken.map(({ name, problem }) => ({ name, problem: toProblemView(problem) })),
    });
  },
});

function toWorkflowView({ name, agents, params, kickoff }: WorkflowDefinition): contract.WorkflowView {
  return {
    name,
    agents: Object.keys(agents),
    params: params.map((param) => ({
      name: param.name,
      type: param.type,
      description: param.description ?? null,
      required: param.required && param.default === undefined,
      default: param.default ?? null,
      choices: param.choices === undefined ? null : [...param.choices],
    })),
    kickoff: kickoff !== undefined,
  };
}
