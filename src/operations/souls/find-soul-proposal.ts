import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { SoulProposalRecord } from "../../ports/store/soul-proposal.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns an open proposal. */
export async function findSoulProposal(store: StoreReads, id: string): Promise<Result<SoulProposalRecord, Refusal>> {
  const found = await store.soulProposals.byId(id);
  const hint = "Take the id from: agent-worker agent soul NAME proposals";
  if (found === undefined) return refuse("not_found", `There is no proposal "${id.slice(0, 64)}".`, { hint });
  if (found.state === "open") return ok(found);
  return refuse("conflict", `"${id}" was ${found.state} by ${found.decidedBy} already.`, {
    hint,
    details: { state: found.state },
  });
}
