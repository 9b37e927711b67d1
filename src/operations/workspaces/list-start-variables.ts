import * as contract from "../../contract/workspaces.ts";
import { startVariables } from "../../domain/workflow/start-variables.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { refuseUnseen } from "../trust/refuse-unseen.ts";
import { findWorkflow } from "./find-workflow.ts";

/** Returns names only. The caller sends values after this was not refused, so that a stranger's project gets none. */
export const listStartVariables = query(contract.listStartVariables, {
  access: persons,

  async execute(data, ctx) {
    const { definitions, trust } = ctx.services;
    await definitions.refresh();
    // A name has no slash.
    const isPath = /[/\\]/.test(data.workflow);
    const named = isPath ? definitions.readWorkflow(data.workflow) : ok({ name: data.workflow, file: null });
    if (!named.ok) return named;
    const workflow = findWorkflow(definitions, named.value.name, named.value.file);
    if (!workflow.ok) return workflow;
    const unseen = trust.unseenOfWorkflow(workflow.value);
    if (unseen.length > 0) return refuseUnseen(`The workflow ${workflow.value.name}`, unseen);
    return ok({ names: trust.kind() === "trusted" ? [...startVariables(workflow.value)] : [] });
  },
});
