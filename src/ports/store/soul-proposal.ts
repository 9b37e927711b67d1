import type { SoulChange } from "../../domain/soul/soul-change.ts";

/** A proposed change of a soul, which waits for a person or was decided. Stored for ever. */
export interface SoulProposalRecord {
  readonly id: string;
  readonly agent: string;
  /** Who proposed it: the agent itself, a person, or the guard from what it observed. */
  readonly source: "agent" | "person" | "observation";
  readonly author: string;
  /** Why, in the author's words. */
  readonly observation: string;
  readonly change: SoulChange;
  /** Ids of the messages and runs it is based on. */
  readonly evidence: readonly string[];
  /** The space and the run it was proposed in; null outside a run. */
  readonly space: string | null;
  readonly run: string | null;
  /** Whose messages the run had seen, and whether it may come from untrusted content. */
  readonly heard: readonly string[];
  readonly outside: boolean;
  /** How often it was proposed. */
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
  /** It was proposed once more. */
  repeat(id: string, to: Pick<SoulProposalRecord, "times" | "evidence" | "heard" | "outside">): Promise<void>;
  /** Returns false when it was decided already. */
  decide(
    id: string,
    decision: Pick<SoulProposalRecord, "state" | "decidedBy" | "reason" | "version" | "decidedAt">,
  ): Promise<boolean>;
}
