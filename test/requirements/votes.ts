import type { Requirement } from "./requirement.ts";

/** What ballots lead to. How votes decide is in `decisions.ts`. */
export const votes: readonly Requirement[] = [
  {
    id: "votes.outcome-wakes",
    source: ["surface", "traps"],
    behaviour:
      "A ballot that is resolved, rejected, expired or cancelled wakes who opened it and whom its consequence concerns, each once, and nobody else.",
    faces: ["cli", "store"],
  },
  {
    id: "votes.reminder",
    source: ["surface"],
    behaviour:
      "Who has not voted is reminded once, who opened the ballot too: at half of its time, or in a run as soon as nothing else is left to do; the run says what it waits for.",
    faces: ["cli", "store"],
  },
  {
    id: "votes.nobody-votes",
    source: ["surface"],
    behaviour:
      "A run in which the reminded agents do not vote ends the ballot as if its time were over; a person who may vote is waited for.",
    faces: ["cli", "store"],
  },
  {
    id: "votes.quorum-closes",
    source: ["surface"],
    behaviour: "A quorum that was given closes the ballot when it is reached and the rule names a winner.",
    faces: ["cli", "domain"],
  },
  {
    id: "votes.binding-needs-consequence",
    source: ["surface", "traps"],
    behaviour: "A ballot that is binding and from which nothing would follow is refused, and told what is missing.",
    faces: ["cli"],
  },
  {
    id: "votes.consequence-by-name",
    source: ["surface"],
    behaviour: "A consequence has a name and is about the workspace of the ballot: document-owner, role or assign.",
    faces: ["cli", "mcp"],
  },
  {
    id: "votes.role",
    source: ["surface"],
    behaviour: "The consequence role gives the chosen participant a role that members, prompts and `ls` show.",
    faces: ["cli"],
  },
  {
    id: "votes.assign",
    source: ["surface"],
    behaviour: "The consequence assign sends the chosen participant a task and wakes it.",
    faces: ["cli"],
  },
  {
    id: "votes.page-form",
    source: ["surface"],
    behaviour: "A person opens a ballot on the page, with what follows from it.",
    faces: ["ui"],
  },
  {
    id: "votes.election-first",
    source: ["surface", "traps"],
    behaviour:
      "With `documentOwner: elect` the kickoff is posted when the election is decided, after two minutes at most unless the workflow says otherwise.",
    faces: ["cli"],
  },
  {
    id: "votes.election-restart",
    source: ["surface"],
    behaviour: "A daemon that restarts during the election of the owner goes on with the start of the workflow.",
    faces: ["store", "cli"],
  },
];
