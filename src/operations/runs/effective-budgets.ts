import type { Budget } from "../../domain/agent/definition.ts";
import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { parseSpace } from "../../domain/message/space.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** The budgets of a run, besides that of its chain. */
export interface EffectiveBudgets {
  readonly agent: Budget | undefined;
  readonly workspace: Budget | undefined;
}

/**
 * Reads the definitions as they are now, because a person may raise a budget while the team works. When the file of the
 * workflow is missing or broken, the agent has the budget it joined with.
 */
export async function effectiveBudgets(
  store: StoreReads,
  definitions: Definitions,
  { mailbox, space }: { readonly mailbox: string; readonly space: string },
): Promise<EffectiveBudgets> {
  const name = mailboxAgent(mailbox);
  const parsed = parseSpace(space);
  if (!parsed.ok || parsed.value.kind === "dm") return { agent: definitions.agent(name)?.budget, workspace: undefined };
  const workflow = definitions.workflow(parsed.value.workflow);
  const entry = workflow?.agents[name];
  if (entry === undefined) return { agent: await budgetAtJoining(store, space, name), workspace: workflow?.budget };
  const agent = entry.kind === "ref" ? (entry.budget ?? definitions.agent(entry.ref)?.budget) : entry.budget;
  return { agent, workspace: workflow?.budget };
}

async function budgetAtJoining(store: StoreReads, space: string, name: string): Promise<Budget | undefined> {
  const participant = await store.workspaces.participant(space, name);
  return participant === undefined ? undefined : readFrozenDefinition(participant.definition).budget;
}
