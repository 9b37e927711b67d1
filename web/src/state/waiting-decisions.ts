import type { ApprovalView } from "../../../src/contract/approvals.ts";
import type { BallotView } from "../../../src/contract/ballots.ts";
import type { SuggestionView } from "../../../src/contract/documents.ts";
import type { DeliveryView } from "../../../src/contract/inbox.ts";
import type { SoulProposalView } from "../../../src/contract/souls.ts";
import type { Daemon } from "../connection/daemon.ts";

/** All decisions that wait for a person, in all workspaces. */
export interface WaitingDecisions {
  readonly approvals: readonly ApprovalView[];
  readonly ballots: readonly BallotView[];
  readonly suggestions: readonly SuggestionView[];
  readonly souls: readonly SoulProposalView[];
  readonly dead: readonly DeliveryView[];
}

/** A list that cannot be loaded is empty; the next event loads it again. */
export async function loadDecisions(daemon: Daemon, spaces: readonly string[]): Promise<WaitingDecisions> {
  const [approvals, dead, souls, ballots, suggestions] = await Promise.all([
    daemon.call("list-approvals", {}),
    daemon.call("list-dead-letters", {}),
    daemon.call("list-soul-proposals", { state: "open" }),
    Promise.all(spaces.map((target) => daemon.call("list-ballots", { target }))),
    Promise.all(spaces.map((target) => daemon.call("list-suggestions", { target }))),
  ]);
  return {
    approvals: approvals.ok ? approvals.value.approvals : [],
    dead: dead.ok ? dead.value.deliveries : [],
    souls: souls.ok ? souls.value.proposals : [],
    ballots: ballots.flatMap((each) => (each.ok ? each.value.ballots : [])),
    suggestions: suggestions.flatMap((each) => (each.ok ? each.value.suggestions : [])),
  };
}

/** Counts the decisions that only this person can make. Ballots of others are shown but not counted. */
export function countAwaitingPerson({ approvals, ballots, suggestions, souls, dead }: WaitingDecisions): number {
  const mine = ballots.filter(({ missing }) => missing.includes("user"));
  return approvals.length + mine.length + suggestions.length + souls.length + dead.length;
}
