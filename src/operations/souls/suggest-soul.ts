import * as contract from "../../contract/souls.ts";
import type { suggestedChange } from "../../contract/souls.ts";
import type { z } from "zod";
import { asItem, type SoulChange } from "../../domain/soul/soul-change.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { BESIDE_RUNS, proposeSoulChange, type SoulChangeDraft } from "./propose-soul-change.ts";
import { soulSubject } from "./soul-subject.ts";
import { toSoulProposalView } from "./view.ts";

/**
 * Puts a change of a soul forward, for a person to decide. An agent can do this for itself and nothing more: there is no
 * operation by which it could decide.
 */
export const suggestSoul = proposal(contract.suggestSoul, {
  access: everyone,

  async prepare({ agent, observation, change }, ctx) {
    const meant = meantChange(observation, change);
    if (!meant.ok) return meant;
    const subject = await soulSubject(ctx, agent);
    if (!subject.ok) return subject;
    return ok({ agent: subject.value.agent, change: meant.value });
  },

  async execute({ observation }, ctx, { agent, change }) {
    const put = await proposeSoulChange(ctx, { agent, observation, change, ...originOf(ctx, agent) });
    return put.ok ? ok(toSoulProposalView(ctx.services, put.value)) : put;
  },
});

function meantChange(
  observation: string,
  change: z.output<typeof suggestedChange> | undefined,
): Result<SoulChange, Refusal> {
  if (change === undefined) return ok({ kind: "add", trait: "principles", item: asItem(observation) });
  const { trait, add, remove, replace } = change;
  const meant: SoulChange[] = [
    ...(add === undefined ? [] : [{ kind: "add", trait, item: add } as const]),
    ...(remove === undefined ? [] : [{ kind: "remove", trait, item: remove } as const]),
    ...(replace === undefined ? [] : [{ kind: "replace", trait, text: replace } as const]),
  ];
  const [only, second] = meant;
  if (only !== undefined && second === undefined) return ok(only);
  return refuse("invalid", "A suggestion changes one thing.", { hint: "Give exactly one of add, remove and replace." });
}

/** Who suggests it, and what that run had heard: what the system knows, whatever the request says. */
function originOf(
  { caller, services }: Execute,
  agent: string,
): Omit<SoulChangeDraft, "agent" | "observation" | "change"> {
  if (caller.kind !== "agent") return { source: "person", author: callerName(caller), ...BESIDE_RUNS };
  const { run, space, cause } = caller;
  const evidence = [run, cause].filter((id) => id !== null);
  return { source: "agent", author: agent, evidence, space, run, ...services.provenance.of(run) };
}
