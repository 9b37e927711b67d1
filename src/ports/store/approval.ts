/** A tool call that a person has to allow before it is made. */
export interface ApprovalRecord {
  readonly id: string;
  readonly space: string;
  /** By its name in the space. */
  readonly agent: string;
  readonly run: string;
  /** Id of the call, unique within the run. */
  readonly call: string;
  /** Digest of the tool and all its arguments: a decision is about exactly this call. */
  readonly digest: string;
  readonly tool: string;
  /** JSON for people to read: redacted, and shortened if it is long. */
  readonly args: string;
  readonly state: "pending" | "approved" | "denied";
  readonly reason: string | null;
  readonly decidedBy: string | null;
  readonly requestedAt: number;
  readonly decidedAt: number | null;
}

export interface ApprovalReads {
  byId(id: string): Promise<ApprovalRecord | undefined>;
  /** Returns the approvals of one call, oldest first; without a call, those of the whole run. */
  ofRun(run: string, call?: string): Promise<ApprovalRecord[]>;
  /** Newest first; in one space, or in all. */
  list(query: {
    readonly space?: string;
    readonly state?: ApprovalRecord["state"];
    readonly limit: number;
  }): Promise<ApprovalRecord[]>;
  countPending(space: string): Promise<number>;
}

export interface ApprovalWrites {
  request(approval: ApprovalRecord): Promise<void>;
  /** Returns false when it was decided already. */
  decide(
    id: string,
    decision: Pick<ApprovalRecord, "reason" | "decidedBy" | "decidedAt"> & { readonly state: "approved" | "denied" },
  ): Promise<boolean>;
}
