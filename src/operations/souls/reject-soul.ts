import * as contract from "../../contract/souls.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { redactOptional } from "../core/redact-texts.ts";
import { currentSoul } from "./current-soul.ts";
import { findSoulProposal } from "./find-soul-proposal.ts";
import { toSoulProposalView } from "./view.ts";

export const rejectSoul = proposal(contract.rejectSoul, {
  access: persons,

  async execute({ id, reason }, ctx) {
    const found = await findSoulProposal(ctx.store, id);
    if (!found.ok) return found;
    const { agent } = found.value;
    const current = currentSoul(ctx.services, agent);
    const made = current.ok ? current.value.state.versions.find((each) => each.proposal === id) : undefined;
    if (made !== undefined) {
      return refuse("conflict", `${id} is version ${made.version} of the soul of ${agent} already.`, {
        hint: `Approve it, or go back: agent-worker agent soul ${agent} rollback ${made.version - 1}`,
      });
    }
    const by = callerName(ctx.caller);
    const decision = {
      state: "rejected",
      decidedBy: by,
      reason: redactOptional(reason, ctx.services.redact),
      version: null,
      decidedAt: ctx.now,
    } as const;
    await ctx.store.soulProposals.decide(id, decision);
    await ctx.emit({ type: "soul.decided", agent, proposal: id, state: "rejected", by });
    return ok(toSoulProposalView(ctx.services, { ...found.value, ...decision }));
  },
});
