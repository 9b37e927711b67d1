import type { RunOutcome, WaitKind } from "./outcome.ts";

/**
 * What a project records about a change. An event is recorded in the transaction of the change and published after the
 * commit. It refers to messages, documents and memories by id and does not repeat their content.
 */
export type DomainEvent =
  | { readonly type: "message.posted"; readonly space: string; readonly message: string }
  | { readonly type: "delivery.acked"; readonly space: string; readonly agent: string; readonly delivery: string }
  | { readonly type: "delivery.dead"; readonly space: string; readonly agent: string; readonly delivery: string }
  | { readonly type: "delivery.revived"; readonly space: string; readonly agent: string; readonly delivery: string }
  | { readonly type: "delivery.dropped"; readonly space: string; readonly agent: string; readonly delivery: string }
  | { readonly type: "run.started"; readonly space: string; readonly agent: string; readonly run: string }
  | {
      readonly type: "run.ended";
      readonly space: string;
      readonly agent: string;
      readonly run: string;
      readonly outcome: RunOutcome;
    }
  /** It goes on by itself at `until`, or when a person decides. */
  | {
      readonly type: "run.waits";
      readonly space: string;
      readonly agent: string;
      readonly run: string;
      readonly waitsFor: WaitKind;
      readonly until: number | null;
    }
  /** It was put aside: by a stop, for more urgent work, or because its daemon died. It goes on from its last step. */
  | { readonly type: "run.parked"; readonly space: string; readonly agent: string; readonly run: string }
  /** It waited for something, and goes on. */
  | { readonly type: "run.resumed"; readonly space: string; readonly agent: string; readonly run: string }
  /** `earlier`: the key of the instance that this one follows. */
  | { readonly type: "workspace.opened"; readonly space: string; readonly earlier?: string }
  | { readonly type: "workspace.closed"; readonly space: string }
  /** Agents joined or left, because the file of the workflow changed. */
  | { readonly type: "workspace.members"; readonly space: string }
  /** Definition files changed, and what follows from them is stored. */
  | { readonly type: "definitions.changed" }
  | { readonly type: "status.set"; readonly space: string; readonly agent: string }
  | { readonly type: "agent.created"; readonly agent: string; readonly ephemeral: boolean }
  | { readonly type: "agent.deleted"; readonly agent: string }
  | { readonly type: "agent.promoted"; readonly agent: string; readonly from: string }
  | { readonly type: "memory.stored"; readonly agent: string; readonly key: string }
  | { readonly type: "memory.forgotten"; readonly agent: string; readonly key: string }
  | { readonly type: "memory.archived"; readonly agent: string; readonly key: string }
  | { readonly type: "tidying.finished"; readonly agent: string; readonly changes: number }
  | { readonly type: "tidying.decided"; readonly agent: string; readonly change: string }
  | { readonly type: "memory.asked"; readonly agent: string; readonly by: string; readonly question: string }
  | { readonly type: "note.added"; readonly agent: string; readonly file: string }
  | { readonly type: "todo.changed"; readonly agent: string }
  | { readonly type: "soul.proposed"; readonly agent: string; readonly proposal: string }
  | {
      readonly type: "soul.decided";
      readonly agent: string;
      readonly proposal: string;
      readonly state: "approved" | "rejected";
      readonly by: string;
    }
  | { readonly type: "soul.changed"; readonly agent: string; readonly version: number; readonly by: string }
  | { readonly type: "conversation.cleared"; readonly agent: string }
  | {
      readonly type: "document.written";
      readonly space: string;
      readonly file: string;
      readonly revision: string;
      readonly by: string;
    }
  | {
      readonly type: "suggestion.made";
      readonly space: string;
      readonly suggestion: string;
      readonly file: string;
      readonly by: string;
    }
  | {
      readonly type: "suggestion.decided";
      readonly space: string;
      readonly suggestion: string;
      readonly state: "accepted" | "rejected";
      readonly by: string;
    }
  | { readonly type: "feedback.submitted"; readonly space: string; readonly agent: string; readonly feedback: string }
  | { readonly type: "document.owner"; readonly space: string; readonly owner: string | null }
  | { readonly type: "role.set"; readonly space: string; readonly agent: string; readonly role: string | null }
  /** `tools`: all that the agent has by grants from now on. */
  | {
      readonly type: "grant.changed";
      readonly space: string;
      readonly agent: string;
      readonly tools: readonly string[];
    }
  | { readonly type: "resource.created"; readonly space: string; readonly resource: string }
  | { readonly type: "ballot.opened"; readonly space: string; readonly ballot: string }
  | { readonly type: "ballot.voted"; readonly space: string; readonly ballot: string; readonly voter: string }
  | { readonly type: "ballot.reminded"; readonly space: string; readonly ballot: string }
  | { readonly type: "ballot.closed"; readonly space: string; readonly ballot: string; readonly state: string }
  | { readonly type: "rule.added"; readonly space: string; readonly rule: string; readonly by: string }
  | { readonly type: "rule.removed"; readonly space: string; readonly rule: string; readonly by: string }
  | {
      readonly type: "rule.fired";
      readonly space: string;
      readonly rule: string;
      readonly propose: string;
      readonly refused: string | null;
    }
  /** Emitted by the code of an own proposal: `name` and `data` are its own. The space is "" outside of spaces. */
  | {
      readonly type: "proposal.event";
      readonly space: string;
      readonly proposal: string;
      readonly name: string;
      readonly data: unknown;
    }
  | { readonly type: "schedule.set"; readonly target: string }
  | { readonly type: "schedule.cleared"; readonly target: string }
  | { readonly type: "approval.requested"; readonly space: string; readonly agent: string; readonly approval: string }
  | {
      readonly type: "approval.decided";
      readonly space: string;
      readonly agent: string;
      readonly approval: string;
      readonly state: "approved" | "denied";
    }
  | { readonly type: "budget.reached"; readonly space: string; readonly agent: string; readonly reason: string }
  | { readonly type: "breaker.tripped"; readonly space: string; readonly root: string; readonly reason: string };

/** `seq` orders the durable events of a store, and separately the ephemeral ones: those of workspaces in memory. */
export type RecordedEvent = DomainEvent & { readonly seq: number; readonly at: number; readonly isEphemeral?: true };

/** How far a reader of events has read. `durable` survives a restart; a client resumes from it. */
export interface EventCursor {
  readonly durable: number;
  readonly ephemeral: number;
}

/** The cursor of a reader that has read nothing. */
export const NO_EVENTS: EventCursor = { durable: 0, ephemeral: 0 };
