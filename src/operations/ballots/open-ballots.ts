import type { BallotRecord } from "../../ports/store/ballot.ts";
import type { StoreReads } from "../../ports/store/store.ts";

const MOST = 100;

/** The open ballots of a workspace, newest first. */
export function openBallotsOf(store: StoreReads, space: string): Promise<BallotRecord[]> {
  return store.ballots.list({ space, state: "open", limit: MOST });
}

/** The voters of a ballot that have not voted, in their order. */
export async function missingVoters(store: StoreReads, ballot: BallotRecord): Promise<string[]> {
  const voted = new Set((await store.ballots.votes(ballot.id)).map(({ voter }) => voter));
  return ballot.terms.eligible.filter((voter) => !voted.has(voter));
}

/** What a workspace waits for, as the end of the sentence "Waiting for ...": one text per open ballot, oldest first. */
export async function awaitedVotes(store: StoreReads, space: string): Promise<string[]> {
  const awaited: string[] = [];
  for (const ballot of (await openBallotsOf(store, space)).toReversed()) {
    const names = (await missingVoters(store, ballot)).join(", ");
    const until = new Date(ballot.expiresAt).toISOString();
    awaited.push(`${names} to vote on "${ballot.title}" (${ballot.id}), until ${until}`);
  }
  return awaited;
}
