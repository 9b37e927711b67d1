import type { ApprovalView } from "../../../src/contract/approvals.ts";
import type { BallotView } from "../../../src/contract/ballots.ts";
import type { SuggestionView } from "../../../src/contract/documents.ts";
import type { WaitingDecisionsView } from "../../../src/contract/decisions/waiting-decisions.ts";
import type { DeliveryView } from "../../../src/contract/inbox.ts";
import type { MemoryChangeView } from "../../../src/contract/personal/memory-changes.ts";
import type { SoulProposalView } from "../../../src/contract/souls.ts";
import type { Daemon } from "../connection/daemon.ts";

/** What the daemon tells about each kind of decision. */
interface DecisionViews {
  readonly approval: ApprovalView;
  readonly ballot: BallotView;
  readonly suggestion: SuggestionView;
  readonly soul: SoulProposalView;
  readonly memory: MemoryChangeView;
  readonly dead: DeliveryView;
}
export type DecisionKind = keyof DecisionViews;

/** One decision that waits for a person. */
export type DecisionItem = {
  readonly [Kind in DecisionKind]: {
    readonly kind: Kind;
    readonly id: string;
    /** When it began to wait. */
    readonly at: string;
    readonly view: DecisionViews[Kind];
  };
}[DecisionKind];

/** All decisions that wait for a person, in all workspaces, oldest first. */
export interface WaitingDecisions {
  readonly items: readonly DecisionItem[];
  /** Kinds that could not be loaded: nothing is known about them. They are loaded again soon. */
  readonly unknown: ReadonlySet<DecisionKind>;
  /** How many only this person can decide. Undefined: unknown. */
  readonly awaiting: number | undefined;
  /** When the daemon was asked, on the clock of the page: what was decided before is not among the items. */
  readonly requestedAt: number;
}

/** Asks for everything in one request, whatever the number of workspaces. */
export async function loadDecisions(daemon: Daemon): Promise<WaitingDecisions> {
  const requestedAt = performance.now();
  const listed = await daemon.call("list-decisions", {});
  if (!listed.ok) return { items: [], unknown: new Set(KINDS), awaiting: undefined, requestedAt };
  return { items: decisionItems(listed.value), unknown: NONE, awaiting: listed.value.awaiting, requestedAt };
}

const KINDS: readonly DecisionKind[] = ["approval", "ballot", "suggestion", "soul", "memory", "dead"];
const NONE: ReadonlySet<DecisionKind> = new Set();

/** Returns the decisions of all kinds, oldest first. */
function decisionItems(listed: WaitingDecisionsView): readonly DecisionItem[] {
  const items: readonly DecisionItem[] = [
    ...listed.approvals.map((view) => ({ kind: "approval", id: view.id, at: view.requestedAt, view }) as const),
    ...listed.ballots.map((view) => ({ kind: "ballot", id: view.id, at: view.openedAt, view }) as const),
    ...listed.suggestions.map((view) => ({ kind: "suggestion", id: view.id, at: view.at, view }) as const),
    ...listed.souls.map((view) => ({ kind: "soul", id: view.id, at: view.at, view }) as const),
    ...listed.memories.map((view) => ({ kind: "memory", id: view.id, at: view.at, view }) as const),
    ...listed.deadLetters.map((view) => ({ kind: "dead", id: view.id, at: view.message.at, view }) as const),
  ];
  return items.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Returns the space in which a decision is to be made. Null for one that belongs to an agent and no place. */
export function spaceOfDecision(item: DecisionItem): string | null {
  return item.kind === "memory" ? null : item.kind === "dead" ? item.view.message.space : item.view.space;
}
