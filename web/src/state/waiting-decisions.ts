import type { ApprovalView } from "../../../src/contract/approvals.ts";
import type { BallotView } from "../../../src/contract/ballots.ts";
import type { SuggestionView } from "../../../src/contract/documents.ts";
import type { DeliveryView } from "../../../src/contract/inbox.ts";
import type { SoulProposalView } from "../../../src/contract/souls.ts";
import type { Daemon } from "../connection/daemon.ts";

/** Everything that waits for a person, over all workspaces. */
export interface WaitingDecisions {
  readonly approvals: readonly ApprovalView[];
  readonly ballots: readonly BallotView[];
  readonly suggestions: readonly SuggestionView[];
  readonly souls: readonly SoulProposalView[];
  readonly dead: readonly DeliveryView[];
}

/** A list that cannot be had now is empty: the next event asks again. */
export async function askDecisions(daemon: Daemon, spaces: readonly string[]): Promise<WaitingDecisions> {
  const [approvals, dead, souls, ballots, suggestions] = await Promise.all([
    daemon.ask("list-approvals", {}),
    daemon.ask("list-dead-letters", {}),
    daemon.ask("list-soul-proposals", { state: "open" }),
    Promise.all(spaces.map((target) => daemon.ask("list-ballots", { target }))),
    Promise.all(spaces.map((target) => daemon.ask("list-suggestions", { target }))),
  ]);
  return {
    approvals: approvals.ok ? approvals.value.approvals : [],
    dead: dead.ok ? dead.value.deliveries : [],
    souls: souls.ok ? souls.value.proposals : [],
    ballots: ballots.flatMap((each) => (each.ok ? each.value.ballots : [])),
    suggestions: suggestions.flatMap((each) => (each.ok ? each.value.suggestions : [])),
  };
}

/** What only this person can move on: ballots of others are shown and do not press. */
export function countPressing({ approvals, ballots, suggestions, souls, dead }: WaitingDecisions): number {
  const mine = ballots.filter(({ missing }) => missing.includes("user"));
  return approvals.length + mine.length + suggestions.length + souls.length + dead.length;
}
