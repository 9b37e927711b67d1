import type { BallotView } from "../../../src/contract/ballots.ts";
import { must } from "./broken.ts";
import { membersOf } from "./cast.ts";
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
  const { id, openedAt, expiresAt, voters, state } = accepted<BallotView>(record);
  must(state === "open", () => `${id} is ${state} at birth`);
  const calls = voters.filter((voter) => voter !== asked.creator);
  const { id: announcement } = expectSpeech(model, record, asked.space, calls, asked.cause);
  model.ballots.set(id, {
    ...asked,
    id,
    eligible: voters,
    announcement,
    openedAt: Date.parse(openedAt),
    expiresAt: Date.parse(expiresAt),
    state: "open",
    voters: new Set(),
    reminded: false,
  });
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
  if (state !== "open") expectOutcome(model, record, ballot, voter);
  expectNotice(model, record, ballot.space);
}

export function expectExpiry(model: Model, record: TransactionRecord): void {
  const { closed } = accepted<{ closed: { id: string; state: string }[] }>(record);
  const due = [...model.ballots.values()].filter(({ state, expiresAt }) => state === "open" && expiresAt <= record.now);
  must(closed.length === due.length, () => `${closed.length} ballots expired, ${due.length} were due`);
  for (const { id, state } of closed) {
    const ballot = model.ballots.get(id);
    must(ballot !== undefined && due.includes(ballot), () => `${id} expired and was not due`);
    ballot.state = state;
    expectOutcome(model, record, ballot, "system");
  }
}

/** Who has not voted is woken, once per ballot, when half of its time is over. */
export function expectReminders(model: Model, record: TransactionRecord): void {
  const { reminded } = accepted<{ reminded: string[] }>(record);
  const due = [...model.ballots.values()].filter(
    ({ state, openedAt, expiresAt, reminded: before }) =>
      state === "open" && !before && Math.floor((openedAt + expiresAt) / 2) <= record.now && record.now < expiresAt,
  );
  must(reminded.length === due.length, () => `${reminded.length} ballots were reminded of, ${due.length} were due`);
  for (const id of reminded) {
    const ballot = model.ballots.get(id);
    must(ballot !== undefined && due.includes(ballot), () => `${id} was reminded of and not due`);
    ballot.reminded = true;
    const missing = ballot.eligible.filter((voter) => !ballot.voters.has(voter));
    expectSpeech(model, record, ballot.space, missing, ballot.announcement);
  }
}

/** The end of a ballot wakes who opened it, unless it is the one that ended it, and nobody else. */
function expectOutcome(model: Model, record: TransactionRecord, ballot: ModelBallot, ender: string): void {
  const { space, creator, announcement } = ballot;
  const wakes = creator !== ender && membersOf(space).some(({ agent }) => agent === creator);
  if (wakes) expectSpeech(model, record, space, [creator], announcement);
  else expectNotice(model, record, space);
}

function expectSpeech(
  model: Model,
  record: TransactionRecord,
  space: string,
  calls: readonly string[],
  cause: string | null,
) {
  const said = { space, addressee: null, sender: "system", kind: "message", calls, cause, run: null } as const;
  return expectMessage(model, record, said);
}
