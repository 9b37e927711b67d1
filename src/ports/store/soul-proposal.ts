import type { SoulChange } from "../../domain/soul/soul-change.ts";

/** A change of a soul that was put forward and waits for a person, or was decided. Kept for ever. */
export interface SoulProposalRecord {
  readonly id: string;
  readonly agent: string;
  /** Who came up with it: the agent itself, a person, or the guard from what it observed. */
  readonly source: "agent" | "person" | "observation";
  readonly author: string;
  /** Why, in the author's words. */
  readonly observation: string;
  readonly change: SoulChange;
  /** Ids of the messages and runs it rests on. */
  readonly evidence: readonly string[];
  /** Where and in which run it was suggested; null when it was not in one. */
  readonly space: string | null;
  readonly run: string | null;
  /** Who had spoken in that run, and whether it may come from outside text. */
  readonly heard: readonly string[];
  readonly outside: boolean;
  /** How often it was put forward. */
  readonly times: number;
  readonly state: "open" | "approved" | "rejected";
  readonly decidedBy: string | null;
  readonly reason: string | null;
  /** The version of the soul it became. */
  readonly version: number | null;
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

export interface SoulProposalReads {
  byId(id: string): Promise<SoulProposalRecord | undefined>;
  /** Newest first. */
  list(query: {
    readonly agent?: string;
    readonly state?: SoulProposalRecord["state"];
    readonly limit: number;
  }): Promise<SoulProposalRecord[]>;
  countOpen(agent: string): Promise<number>;
}

export interface SoulProposalWrites {
  add(proposal: SoulProposalRecord): Promise<void>;
  /** It was put forward once more. */
  repeat(id: string, to: Pick<SoulProposalRecord, "times" | "evidence" | "heard" | "outside">): Promise<void>;
  /** Answers false when it was decided already. */
  decide(
    id: string,
    decision: Pick<SoulProposalRecord, "state" | "decidedBy" | "reason" | "version" | "decidedAt">,
  ): Promise<boolean>;
}
