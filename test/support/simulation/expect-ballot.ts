import type { BallotView } from "../../../src/contract/ballots.ts";
import { must } from "./broken.ts";
import { expectMessage, expectNotice } from "./expect-message.ts";
import { accepted, expectRefusal } from "./expect-run.ts";
import type { Model, ModelBallot } from "./model.ts";
import type { TransactionRecord } from "./transaction-record.ts";

/** Ballots as far as messages and time are concerned; how votes decide is tested where it is decided. */
export function expectBallotOpened(
  model: Model,
  record: TransactionRecord,
  asked: { readonly space: string; readonly creator: string; readonly cause: string | null },
): void {
  const { id, expiresAt, voters, state } = accepted<BallotView>(record);
  must(state === "open", () => `${id} is ${state} at birth`);
  const calls = voters.filter((voter) => voter !== asked.creator);
  const { space, cause } = asked;
  expectMessage(model, record, { space, addressee: null, sender: "system", kind: "message", calls, cause, run: null });
  model.ballots.set(id, { id, space, expiresAt: Date.parse(expiresAt), state: "open", voters: new Set() });
}

export function expectVote(model: Model, record: TransactionRecord, ballot: ModelBallot, voter: string): void {
  if (ballot.state !== "open" || record.now >= ballot.expiresAt) {
    expectRefusal(record, "closed");
    return;
  }
  const { votes, state } = accepted<BallotView>(record);
  ballot.voters.add(voter);
  must(new Set(votes.map((vote) => vote.voter)).size === ballot.voters.size, () => `${ballot.id} lost a vote`);
  must(votes.length === ballot.voters.size, () => `a voter of ${ballot.id} was counted twice`);
  ballot.state = state;
  expectNotices(model, record, 1);
}

export function expectExpiry(model: Model, record: TransactionRecord): void {
  const { closed } = accepted<{ closed: { id: string; state: string }[] }>(record);
  const due = [...model.ballots.values()].filter(({ state, expiresAt }) => state === "open" && expiresAt <= record.now);
  must(closed.length === due.length, () => `${closed.length} ballots expired, ${due.length} were due`);
  for (const { id, state } of closed) {
    const ballot = model.ballots.get(id);
    must(ballot !== undefined && due.includes(ballot), () => `${id} expired and was not due`);
    ballot.state = state;
  }
  expectNotices(model, record, closed.length);
}

/** A ballot speaks at least once when something becomes of it, and wakes nobody. */
function expectNotices(model: Model, record: TransactionRecord, least: number): void {
  const spaces = record.messages.map(({ space }) => space);
  must(spaces.length >= least, () => "something became of a ballot and nobody was told");
  for (const space of spaces) expectNotice(model, record, space);
}
