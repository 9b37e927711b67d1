/** A ballot is a proposal that waits for votes. `resolve.ts` decides its outcome. */
export const BALLOT_TYPES = ["election", "decision", "approval", "assignment"] as const;
export type BallotType = (typeof BALLOT_TYPES)[number];

export const BALLOT_RULES = ["plurality", "majority", "unanimous"] as const;
export type BallotRule = (typeof BALLOT_RULES)[number];

export const TIE_BREAKS = ["first", "random", "creator"] as const;
export type TieBreak = (typeof TIE_BREAKS)[number];

/** The proposal that is made when an option of a binding ballot wins: the name of an operation and its input. */
export interface BallotConsequence {
  readonly propose: string;
  readonly data: unknown;
}

export interface BallotOption {
  readonly id: string;
  readonly label: string;
  readonly then?: BallotConsequence;
}

export interface BallotTerms {
  readonly type: BallotType;
  readonly options: readonly BallotOption[];
  readonly rule: BallotRule;
  /** How many eligible voters must have voted before there can be a winner. */
  readonly quorum: number;
  readonly tie: TieBreak;
  /** The winning option when the ballot expires; null for none. */
  readonly fallback: string | null;
  readonly eligible: readonly string[];
  readonly creator: string;
  /** Seed of a random tie-break, drawn at creation and stored, so that the result can be verified. */
  readonly seed: number;
}

/** The last vote of one voter; a second vote replaces the first. Order = order of the last vote. */
export interface Vote {
  readonly voter: string;
  readonly option: string;
}

export type BallotOutcome =
  | { readonly status: "open" }
  | { readonly status: "resolved"; readonly winner: string; readonly by: "votes" | "tie" }
  | { readonly status: "rejected"; readonly reason: string }
  | { readonly status: "expired"; readonly fallback: string | null };
