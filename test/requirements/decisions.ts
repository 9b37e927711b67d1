import type { Requirement } from "./requirement.ts";

/** How state is changed by proposals, and how participants decide by ballot. */
export const decisions: readonly Requirement[] = [
  {
    id: "proposal.data-defined",
    source: ["002", "architecture"],
    behaviour:
      "A proposal written as data, with what it waits for and what it then proposes, can be added while the system runs.",
    faces: ["store"],
  },
  {
    id: "proposal.schema",
    source: ["002", "architecture"],
    behaviour: "An operation's input is checked by its schema before it executes, and a refusal names the field.",
    faces: ["store"],
  },
  {
    id: "proposal.compose",
    source: ["002", "architecture"],
    behaviour:
      "A proposal can make others in its own transaction: a refused one undoes its own changes, and a refused outer one undoes all of them.",
    faces: ["store"],
  },
  {
    id: "proposal.access",
    source: ["002", "architecture"],
    behaviour: "An operation called by someone who may not propose it is refused and changes nothing.",
    faces: ["store"],
  },
  {
    id: "ballot.types",
    source: ["001", "004", "surface"],
    behaviour: "A ballot is an election, a decision, an approval or an assignment; another type is refused.",
    faces: ["domain", "store"],
  },
  {
    id: "ballot.approval-options",
    source: ["surface"],
    behaviour: "An approval without options offers approve and reject.",
    faces: ["domain"],
  },
  {
    id: "ballot.options",
    source: ["surface"],
    behaviour: "A ballot with fewer than two options, or with two of the same name, is refused.",
    faces: ["domain"],
  },
  {
    id: "ballot.plurality",
    source: ["001", "004", "surface"],
    behaviour: "Under plurality, the default, the option with the most votes wins.",
    faces: ["domain"],
  },
  {
    id: "ballot.majority-of-eligible",
    source: ["001", "004", "surface", "traps"],
    behaviour: "Under majority an option wins with more than half of the eligible voters, not of the votes cast.",
    faces: ["domain"],
  },
  {
    id: "ballot.unanimous",
    source: ["001", "004", "surface"],
    behaviour: "Under unanimity an option wins when all eligible voters chose it.",
    faces: ["domain"],
  },
  {
    id: "ballot.quorum-all",
    source: ["surface"],
    behaviour: "Without a quorum of its own a ballot needs the votes of all eligible voters.",
    faces: ["domain"],
  },
  {
    id: "ballot.quorum-given",
    source: ["004", "surface"],
    behaviour: "A ballot with a quorum has no winner before that many eligible voters voted.",
    faces: ["domain"],
  },
  {
    id: "ballot.early",
    source: ["surface"],
    behaviour:
      "A ballot closes when its quorum is reached and one option leads by its rule, when all have voted, or when no option can win any more, and not before.",
    faces: ["domain"],
  },
  {
    id: "ballot.impossible",
    source: ["surface"],
    behaviour: "A ballot whose rule can no longer be met by any option ends without a winner and says why.",
    faces: ["domain"],
  },
  {
    id: "ballot.tie-first",
    source: ["surface"],
    behaviour: "A tie broken by `first` goes to the option listed first.",
    faces: ["domain"],
  },
  {
    id: "ballot.tie-random",
    source: ["surface"],
    behaviour: "A tie broken by `random` is drawn from a recorded seed and gives the same winner again.",
    faces: ["domain"],
  },
  {
    id: "ballot.tie-creator",
    source: ["surface"],
    behaviour: "A tie broken by `creator` goes to the tied option the creator voted for.",
    faces: ["domain"],
  },
  {
    id: "ballot.eligible-default",
    source: ["surface"],
    behaviour: "Those who may vote are the participants at the time of creation; later ones may not.",
    faces: ["store"],
  },
  {
    id: "ballot.eligible-given",
    source: ["surface"],
    behaviour: "A ballot created with a list of voters accepts the votes of those and refuses others.",
    faces: ["store"],
  },
  {
    id: "ballot.person-invited",
    source: ["surface"],
    behaviour: "A person may vote only when listed among the voters.",
    faces: ["store"],
  },
  {
    id: "ballot.vote-option",
    source: ["surface"],
    behaviour: "A vote for an option the ballot does not have is refused with the options it has.",
    faces: ["store"],
  },
  {
    id: "ballot.vote-reason",
    source: ["surface"],
    behaviour: "The reason given with a vote is kept and shown in the status.",
    faces: ["store"],
  },
  {
    id: "ballot.re-vote",
    source: ["surface"],
    behaviour: "A second vote of the same voter replaces the first.",
    faces: ["domain", "store"],
  },
  {
    id: "ballot.vote-closed",
    source: ["surface"],
    behaviour: "A vote on a resolved, expired or cancelled ballot is refused.",
    faces: ["store"],
  },
  {
    id: "ballot.status",
    source: ["surface"],
    behaviour: "Status shows one ballot with its tally and who has not voted, or all open ones.",
    faces: ["store"],
  },
  {
    id: "ballot.cancel",
    source: ["surface"],
    behaviour: "The creator or a person can cancel an open ballot; another agent cannot.",
    faces: ["store"],
  },
  {
    id: "ballot.timeout-default",
    source: ["surface"],
    behaviour: "A ballot without a timeout expires one hour after its creation.",
    faces: ["store"],
  },
  {
    id: "ballot.expiry-quorum",
    source: ["surface", "traps"],
    behaviour: "A ballot that expires without quorum has no winner, whatever the votes.",
    faces: ["domain"],
  },
  {
    id: "ballot.expiry-leader",
    source: ["004", "surface"],
    behaviour: "A ballot that expires with quorum takes the option that satisfies its rule by then.",
    faces: ["domain"],
  },
  {
    id: "ballot.expiry-fallback",
    source: ["004", "surface"],
    behaviour: "An expired ballot takes its fallback option, or none when it has none.",
    faces: ["domain", "store"],
  },
  {
    id: "ballot.announce-created",
    source: ["001", "004", "surface"],
    behaviour: "Creation is announced in the channel by the system and mentions the eligible voters.",
    faces: ["store"],
  },
  {
    id: "ballot.announce-quiet",
    source: ["surface", "traps"],
    behaviour:
      "Votes are announced by the system and mention nobody; resolution, expiry and cancellation mention nobody but who opened the ballot and whom it concerns.",
    faces: ["store"],
  },
  {
    id: "ballot.binding",
    source: ["001", "004", "architecture"],
    behaviour:
      "When a binding ballot resolves, the proposal of its winning option is executed in the same transaction.",
    faces: ["store"],
  },
  {
    id: "ballot.advisory",
    source: ["001", "004"],
    behaviour: "A ballot that is not binding records its winner and executes nothing.",
    faces: ["store"],
  },
  {
    id: "ballot.decisions-file",
    source: ["004", "surface"],
    behaviour: "A resolved ballot is appended to `decisions.md` of the workspace.",
    faces: ["file"],
  },
  {
    id: "ballot.kept",
    source: ["surface", "traps"],
    behaviour: "Closed ballots stay readable with their votes, also after a restart.",
    faces: ["store"],
  },
  {
    id: "ballot.ids",
    source: ["architecture", "traps"],
    behaviour: "Ids of ballots are never used again, also after a restart.",
    faces: ["store"],
  },
];
