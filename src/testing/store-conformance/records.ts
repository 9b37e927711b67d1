import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { ok } from "../../kernel/result.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";
import type { BallotRecord } from "../../ports/store/ballot.ts";
import type { NewDelivery } from "../../ports/store/delivery.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { Store, StoreWrites } from "../../ports/store/store.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";

/** Plausible records for tests of a store: a test states the fields it is about. */
export const T0 = Date.UTC(2026, 0, 5, 9, 0, 0);

export function message(id: string, fields: Partial<MessageRecord> = {}): Omit<MessageRecord, "seq"> {
  return {
    id,
    space: "@review:main",
    sender: "user",
    kind: "message",
    addressee: null,
    body: `text of ${id}`,
    resource: null,
    mentions: [],
    root: id,
    cause: null,
    depth: 0,
    run: null,
    createdAt: T0,
    onBehalfOf: null,
    ...fields,
  };
}

export function delivery(id: string, messageSeq: number, fields: Partial<NewDelivery> = {}): NewDelivery {
  return {
    id,
    messageSeq,
    space: "@review:main",
    mailbox: "alice",
    agent: nameIn(fields),
    lane: "normal",
    enqueuedAt: T0,
    awaited: false,
    ...fields,
  };
}

export function run(id: string, fields: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    mailbox: "alice",
    agent: nameIn(fields),
    space: "@review:main",
    lane: "normal",
    // A mailbox has one open run at most, and most cases need several.
    state: "parked",
    leaseOwner: "own_1",
    fence: 1,
    cause: "msg_1",
    root: "msg_1",
    spoke: false,
    recoveries: 0,
    model: null,
    startedAt: T0,
    endedAt: null,
    outcome: null,
    detail: null,
    reason: null,
    waitsFor: null,
    waitsSince: null,
    waitsUntil: null,
    definition: null,
    ...fields,
  };
}

function nameIn({ mailbox = "alice" }: { readonly mailbox?: string }): string {
  return mailboxAgent(mailbox);
}

export function workspace(key: string, fields: Partial<WorkspaceRecord> = {}): WorkspaceRecord {
  const [workflow = "", tag = ""] = key.slice(1).split(":");
  return {
    key,
    instance: 1,
    earlier: false,
    workflow,
    tag,
    state: "open",
    provider: "sqlite",
    documents: "file",
    channel: true,
    dir: `.workspace/${workflow}/${tag}`,
    mirrored: false,
    documentFile: "notes.md",
    channelFile: "channel.md",
    documentOwner: null,
    ownerSetting: null,
    openedAt: T0,
    closedAt: null,
    file: null,
    ...fields,
  };
}

export function participant(space: string, agent: string, fields: Partial<ParticipantRecord> = {}): ParticipantRecord {
  return {
    space,
    agent,
    position: 0,
    ref: agent,
    role: null,
    task: null,
    mood: null,
    ...fields,
  };
}

export function ballot(id: string, fields: Partial<BallotRecord> = {}): BallotRecord {
  return {
    id,
    space: "@review:main",
    title: `Question ${id}`,
    terms: {
      type: "decision",
      options: [{ id: "yes", label: "Yes", then: { propose: "send-message", data: { to: "@review" } } }],
      rule: "majority",
      quorum: 2,
      tie: "first",
      fallback: null,
      eligible: ["alice", "bob"],
      creator: "alice",
      seed: 7,
    },
    binding: true,
    state: "open",
    outcome: null,
    effect: null,
    openedAt: T0,
    expiresAt: T0 + 3_600_000,
    closedAt: null,
    announcement: `msg_${id}`,
    remindedAt: null,
    ...fields,
  };
}

export function approval(id: string, fields: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    id,
    space: "@review:main",
    agent: "alice",
    run: "run_1",
    call: "call_1",
    digest: `digest of ${id}`,
    tool: "bash",
    args: '{"command":"ls"}',
    state: "pending",
    reason: null,
    decidedBy: null,
    requestedAt: T0,
    decidedAt: null,
    ...fields,
  };
}

/** A transaction that is not refused. */
export async function write<T>(store: Store, work: (writes: StoreWrites) => Promise<T>): Promise<T> {
  const result = await store.transact(async (writes) => ok(await work(writes)));
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
