import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { isExpectedSpace } from "../core/caller-space.ts";

/** Returns a ballot by its id. An agent finds only the ballots of its own workspace. */
export async function findBallot(
  store: StoreReads,
  id: string,
  caller: Caller,
  target?: string,
): Promise<Result<BallotRecord, Refusal>> {
  const ballot = await store.ballots.byId(id);
  if (ballot !== undefined && isExpectedSpace(ballot.space, target, caller)) return ok(ballot);
  return refuse("not_found", `There is no ballot "${id.slice(0, 64)}" here.`, {
    hint: "Take the id from the list of ballots.",
  });
}

/** Refuses a closed ballot. An expired ballot counts as closed, even before `expire-ballots` has run. */
export function checkOpen(ballot: BallotRecord, now: number): Result<undefined, Refusal> {
  if (ballot.state === "open" && now < ballot.expiresAt) return ok(undefined);
  const state = ballot.state === "open" ? "expired" : ballot.state;
  return refuse("closed", `The ballot "${ballot.title}" is ${state}.`, {
    hint: "See its result in the list of ballots, or open a new one.",
  });
}
