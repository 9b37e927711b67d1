import type { BallotOutcome, BallotTerms } from "../../domain/ballot/ballot.ts";

/** The proposal a binding ballot made when it was decided, and why it was refused if it was. */
export interface BallotEffect {
  readonly propose: string;
  readonly refused: string | null;
}

export interface BallotRecord {
  readonly id: string;
  readonly space: string;
  readonly title: string;
  readonly terms: BallotTerms;
  readonly binding: boolean;
  readonly state: "open" | "resolved" | "rejected" | "expired" | "cancelled";
  readonly outcome: BallotOutcome | null;
  /** What a binding ballot did about its outcome; null when it had nothing to do. */
  readonly effect: BallotEffect | null;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly closedAt: number | null;
  /** Id of the message that announced it. Everything said about the ballot to wake agents belongs to that chain. */
  readonly announcement: string | null;
  /** When those who had not voted were reminded; null before that. */
  readonly remindedAt: number | null;
}

export interface VoteRecord {
  readonly voter: string;
  readonly option: string;
  readonly reason: string | null;
  readonly at: number;
}

export interface BallotReads {
  byId(id: string): Promise<BallotRecord | undefined>;
  /** Newest first. */
  list(query: { readonly space: string; readonly state?: "open"; readonly limit: number }): Promise<BallotRecord[]>;
  /** In the order of the last vote of each voter. */
  votes(ballot: string): Promise<VoteRecord[]>;
  /** Open ballots whose time is over. */
  due(now: number): Promise<BallotRecord[]>;
  /** Open ballots of which half of the time is over and nobody was reminded. */
  dueForReminder(now: number): Promise<BallotRecord[]>;
  countOpen(space: string): Promise<number>;
  /** Decided ballots (resolved, rejected, expired) that are not in `decisions.md` yet, oldest first. */
  unrecorded(space: string, limit: number): Promise<BallotRecord[]>;
  spacesWithUnrecorded(): Promise<string[]>;
}

export interface BallotWrites {
  open(ballot: BallotRecord): Promise<void>;
  /** Replaces the voter's earlier vote. */
  vote(ballot: string, vote: VoteRecord): Promise<void>;
  /** Returns false when the ballot was closed already. */
  close(id: string, to: Pick<BallotRecord, "state" | "outcome" | "closedAt">): Promise<boolean>;
  setEffect(id: string, effect: BallotEffect): Promise<void>;
  markReminded(id: string, at: number): Promise<void>;
  markRecorded(id: string): Promise<void>;
}
