import { guardOf } from "../../domain/guard/guard-of.ts";
import { asksFor, type GuardPurpose } from "../../domain/guard/guard-purpose.ts";
import type { GuardSubject } from "../../guard/model/ask-guard-model.ts";
import type { Read } from "../core/define.ts";
import { findRunAgent } from "../runs/run-agent.ts";

/** Returns for whom the guard asks when the agent of a run calls; null when it asks no model for this purpose. */
export async function readGuardSubject(
  ctx: Read,
  purpose: GuardPurpose,
): Promise<(GuardSubject & { readonly run: string }) | null> {
  const { caller, services } = ctx;
  if (caller.kind !== "agent" || caller.run === null) return null;
  const { run: id } = caller;
  const found = await ctx.read(async (store) => {
    const run = await store.runs.byId(id);
    return run && { run, agent: await findRunAgent(store, services.definitions, run) };
  });
  if (found?.agent.kind !== "found") return null;
  const { definition } = found.agent.agent;
  if (!asksFor(guardOf(definition), purpose)) return null;
  const { mailbox, space } = found.run;
  return { definition, mailbox, space, run: id };
}
