import { fingerprintOf, isSameFingerprint } from "../../domain/soul/fingerprint.ts";
import { settleChange } from "../../domain/soul/learned-soul.ts";
import { changeKey, changeText, checkChange, type SoulChange } from "../../domain/soul/soul-change.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { SoulProposalRecord } from "../../ports/store/soul-proposal.ts";
import type { Execute } from "../core/define.ts";
import { currentSoul } from "./current-soul.ts";

export type SoulChangeDraft = Pick<
  SoulProposalRecord,
  "agent" | "source" | "author" | "observation" | "change" | "evidence" | "space" | "run" | "heard" | "outside"
>;

/** The origin of a draft that comes from no run. */
export const WITHOUT_RUN = { evidence: [], space: null, run: null, heard: [], outside: false } as const;

const MAX_OPEN = 20;
const MAX_EVIDENCE = 20;
const MAX_COMPARED = 200;

/**
 * Proposes a change of a soul; every proposal is made here. The same change again adds its evidence to the open
 * proposal. A change that a person rejected is refused. Open proposals are limited, so that a person can read them all.
 */
export async function proposeSoulChange(
  ctx: Execute,
  draft: SoulChangeDraft,
): Promise<Result<SoulProposalRecord, Refusal>> {
  const { agent } = draft;
  const current = currentSoul(ctx.services, agent);
  if (!current.ok) return current;
  const { baseline, state } = current.value;
  const checked = checkChange(redactChange(draft.change, ctx.services.redact), baseline);
  if (!checked.ok) return checked;
  const change = checked.value;
  if (settleChange(baseline, state.learned, change) === null) {
    return refuse("conflict", `The soul of ${agent} would be the same: ${changeText(change)}`, {
      hint: "Nothing is left to do.",
    });
  }

  const earlier = (await ctx.store.soulProposals.list({ agent, limit: MAX_COMPARED })).find((each) =>
    isSameChange(each.change, change),
  );
  if (earlier?.state === "open") return repeat(ctx, earlier, draft);
  if (earlier?.state === "rejected") {
    const why = earlier.reason === null ? "" : ` ${earlier.reason}`;
    return refuse("conflict", `A person rejected this before (${earlier.id}).${why}`, { hint: "Leave it at that." });
  }
  if (earlier !== undefined && draft.source === "observation") {
    // It was approved, and a person removed it later.
    return refuse("conflict", `This was decided before (${earlier.id}).`, { hint: "Leave it at that." });
  }
  if ((await ctx.store.soulProposals.countOpen(agent)) >= MAX_OPEN) {
    return refuse("conflict", `${MAX_OPEN} changes of the soul of ${agent} wait for a person already.`, {
      hint: `They are decided with: agent-worker agent soul ${agent} proposals`,
    });
  }
  const proposal: SoulProposalRecord = {
    ...draft,
    id: ctx.newId("sol"),
    observation: ctx.services.redact(draft.observation),
    change,
    evidence: draft.evidence.slice(-MAX_EVIDENCE),
    times: 1,
    state: "open",
    decidedBy: null,
    reason: null,
    version: null,
    createdAt: ctx.now,
    decidedAt: null,
  };
  await ctx.store.soulProposals.add(proposal);
  await ctx.emit({ type: "soul.proposed", agent, proposal: proposal.id });
  return ok(proposal);
}

async function repeat(
  ctx: Execute,
  earlier: SoulProposalRecord,
  { evidence, heard, outside }: SoulChangeDraft,
): Promise<Result<SoulProposalRecord, Refusal>> {
  const fresh = evidence.filter((each) => !earlier.evidence.includes(each));
  if (fresh.length === 0) return ok(earlier);
  const repeated = {
    times: earlier.times + 1,
    evidence: [...earlier.evidence, ...fresh].slice(-MAX_EVIDENCE),
    heard: [...new Set([...earlier.heard, ...heard])],
    outside: earlier.outside || outside,
  };
  await ctx.store.soulProposals.repeat(earlier.id, repeated);
  return ok({ ...earlier, ...repeated });
}

function isSameChange(one: SoulChange, other: SoulChange): boolean {
  if (changeKey(one) === changeKey(other)) return true;
  if (one.kind !== other.kind || one.trait !== other.trait) return false;
  return (
    one.kind === "add" && other.kind === "add" && isSameFingerprint(fingerprintOf(one.item), fingerprintOf(other.item))
  );
}

function redactChange(change: SoulChange, redact: (text: string) => string): SoulChange {
  if (change.kind === "replace") return { ...change, text: redact(change.text) };
  return change.item === undefined ? change : { ...change, item: redact(change.item) };
}
