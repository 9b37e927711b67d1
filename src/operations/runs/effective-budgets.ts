import type { Budget } from "../../domain/agent/definition.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { currentWorkflow } from "../workspaces/find-workflow.ts";
import { findRunAgent } from "./run-agent.ts";

/** The budgets of a run, besides that of its chain. */
export interface EffectiveBudgets {
  readonly agent: Budget | undefined;
  readonly workspace: Budget | undefined;
}

/** Reads the definitions as they are now, because a person may raise a budget while the team works. */
export async function effectiveBudgets(
  store: StoreReads,
  definitions: Definitions,
  run: { readonly agent: string; readonly space: string; readonly budgetAtStart?: Budget | undefined },
): Promise<EffectiveBudgets> {
  const found = await findRunAgent(store, definitions, run);
  const workflow = await currentWorkflow(store, definitions, run.space);
  return {
    agent: found.kind === "found" ? found.agent.definition.budget : run.budgetAtStart,
    workspace: workflow?.budget,
  };
}
