import type { ApprovalView } from "../../../src/contract/approvals.ts";
import type { BallotView } from "../../../src/contract/ballots.ts";
import type { SuggestionView } from "../../../src/contract/documents.ts";
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
  /** When the daemon was asked, on the clock of the page: what was decided before is not among the items. */
  readonly requestedAt: number;
}

/** As many as the daemon returns at once, because it returns the newest of approvals and dead letters. */
const LIMIT = 500;
const SMALLER_LIMIT = 200;

export async function loadDecisions(daemon: Daemon): Promise<WaitingDecisions> {
  const requestedAt = performance.now();
  const inWorkspaces = async () => {
    const open = await daemon.call("list-workspaces", { state: "open" });
    if (!open.ok) return undefined;
    const targets = open.value.workspaces.map(({ space }) => space);
    return Promise.all([
      Promise.all(targets.map((target) => daemon.call("list-ballots", { target, limit: LIMIT }))),
      Promise.all(targets.map((target) => daemon.call("list-suggestions", { target, limit: SMALLER_LIMIT }))),
    ]);
  };
  const [approvals, dead, souls, memories, workspaces] = await Promise.all([
    daemon.call("list-approvals", { limit: LIMIT }),
    daemon.call("list-dead-letters", { limit: LIMIT }),
    daemon.call("list-soul-proposals", { state: "open", limit: SMALLER_LIMIT }),
    daemon.call("list-memory-changes", { state: "open", limit: SMALLER_LIMIT }),
    inWorkspaces(),
  ]);
  const [ballots, suggestions] = workspaces ?? [];
  const unknown = new Set<DecisionKind>();
  if (!approvals.ok) unknown.add("approval");
  if (!dead.ok) unknown.add("dead");
  if (!souls.ok) unknown.add("soul");
  if (!memories.ok) unknown.add("memory");
  if (ballots?.every(({ ok }) => ok) !== true) unknown.add("ballot");
  if (suggestions?.every(({ ok }) => ok) !== true) unknown.add("suggestion");
  const items: readonly DecisionItem[] = [
    ...(approvals.ok ? approvals.value.approvals : []).map(
      (view) => ({ kind: "approval", id: view.id, at: view.requestedAt, view }) as const,
    ),
    ...(ballots ?? [])
      .flatMap((each) => (each.ok ? each.value.ballots : []))
      .map((view) => ({ kind: "ballot", id: view.id, at: view.openedAt, view }) as const),
    ...(suggestions ?? [])
      .flatMap((each) => (each.ok ? each.value.suggestions.toReversed() : []))
      .map((view) => ({ kind: "suggestion", id: view.id, at: view.at, view }) as const),
    ...(souls.ok ? souls.value.proposals : []).map(
      (view) => ({ kind: "soul", id: view.id, at: view.at, view }) as const,
    ),
    ...(memories.ok ? memories.value.changes : []).map(
      (view) => ({ kind: "memory", id: view.id, at: view.at, view }) as const,
    ),
    ...(dead.ok ? dead.value.deliveries : []).map(
      (view) => ({ kind: "dead", id: view.id, at: view.message.at, view }) as const,
    ),
  ];
  return { items: oldestFirst(items), unknown, requestedAt };
}

/** Those of the same time stay in the order of the daemon, which is newest first. */
function oldestFirst(newestFirst: readonly DecisionItem[]): readonly DecisionItem[] {
  return newestFirst.toReversed().toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Counts the decisions that only this person can make. Ballots of others are shown but not counted. */
export function countAwaitingPerson({ items }: WaitingDecisions): number {
  return items.filter((item) => item.kind !== "ballot" || item.view.missing.includes("user")).length;
}
