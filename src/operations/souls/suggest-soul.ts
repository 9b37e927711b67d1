import type { z } from "zod";
import * as contract from "../../contract/souls.ts";
import { asItem, type SoulChange } from "../../domain/soul/soul-change.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";
import { WITHOUT_RUN, proposeSoulChange, type SoulChangeDraft } from "./propose-soul-change.ts";
import { toSoulProposalView } from "./view.ts";

/**
 * Proposes a change of a soul, which a person decides. An agent may do this for itself only; no operation lets an agent
 * decide.
 */
export const suggestSoul = proposal(contract.suggestSoul, {
  access: everyone,

  async prepare({ agent, observation, change }, ctx) {
    const suggested = toSoulChange(observation, change);
    if (!suggested.ok) return suggested;
    const owner = await personalOwner(ctx, agent);
    return owner.ok ? ok({ agent: owner.value.agent, change: suggested.value }) : owner;
  },

  async execute({ observation }, ctx, { agent, change }) {
    const proposed = await proposeSoulChange(ctx, { agent, observation, change, ...originOf(ctx, agent) });
    return proposed.ok ? ok(toSoulProposalView(ctx.services, proposed.value)) : proposed;
  },
});

function toSoulChange(
  observation: string,
  change: z.output<typeof contract.suggestedChange> | undefined,
): Result<SoulChange, Refusal> {
  if (change === undefined) return ok({ kind: "add", trait: "principles", item: asItem(observation) });
  const { trait, add, remove, replace } = change;
  const changes: SoulChange[] = [
    ...(add === undefined ? [] : [{ kind: "add", trait, item: add } as const]),
    ...(remove === undefined ? [] : [{ kind: "remove", trait, item: remove } as const]),
    ...(replace === undefined ? [] : [{ kind: "replace", trait, text: replace } as const]),
  ];
  const [only, second] = changes;
  if (only !== undefined && second === undefined) return ok(only);
  return refuse("invalid", "A suggestion changes one thing.", { hint: "Give exactly one of add, remove and replace." });
}

/** Author and provenance come from the system, never from the request. */
function originOf(
  { caller, services }: Execute,
  agent: string,
): Omit<SoulChangeDraft, "agent" | "observation" | "change"> {
  if (caller.kind !== "agent") return { source: "person", author: callerName(caller), ...WITHOUT_RUN };
  const { run, space, cause } = caller;
  const evidence = [run, cause].filter((id) => id !== null);
  return { source: "agent", author: agent, evidence, space, run, ...services.provenance.of(run) };
}
