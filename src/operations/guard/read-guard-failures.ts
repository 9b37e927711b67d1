import { guardOf } from "../../domain/guard/guard-of.ts";
import { nameModel } from "../../domain/agent/named-model.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { GuardUse } from "../../ports/store/guard-use.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** A model of the guard that did not answer the last question: the rules decide instead, and nobody would notice. */
export interface GuardFailure {
  readonly agent: string;
  /** `provider/model`. */
  readonly model: string;
  readonly at: string;
  readonly reason: string;
}

const LATEST = 200;

/** Returns the models whose last question was not answered, as far as agents still name them. */
export async function readGuardFailures(store: StoreReads, definitions: Definitions): Promise<GuardFailure[]> {
  const latest = await store.guardUses.latest(LATEST);
  const last = new Map<string, GuardUse>();
  for (const use of latest) {
    const key = JSON.stringify([use.mailbox, use.model]);
    const known = last.get(key);
    // A model that rests was not asked: the question before says why.
    if (known === undefined || (known.outcome === "skipped" && use.outcome === "failed")) last.set(key, use);
  }
  return [...last.values()]
    .filter(({ outcome, mailbox, model }) => outcome !== "answered" && isNamed(definitions, mailbox, model))
    .map(({ mailbox, model, at, reason }) => ({
      agent: mailbox,
      model,
      at: new Date(at).toISOString(),
      reason: reason ?? "no reason was given",
    }));
}

/** Agents that exist only in a workflow are not looked up: theirs count. */
function isNamed(definitions: Definitions, agent: string, model: string): boolean {
  const definition = definitions.agent(agent);
  if (definition === undefined) return agent.includes("@");
  const named = nameModel(guardOf(definition));
  return named.ok && named.value !== null && `${named.value.provider.name}/${named.value.model}` === model;
}
