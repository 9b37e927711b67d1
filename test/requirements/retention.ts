import type { Requirement } from "./requirement.ts";

/** The store does not grow without end, and what is in it is never lost unnoticed. */
export const retention: readonly Requirement[] = [
  {
    id: "retention.steps",
    source: ["surface"],
    behaviour: "A step stores what it added to the transcript; a killed run goes on with all of it.",
    faces: ["store"],
  },
  {
    id: "retention.prune",
    source: ["surface"],
    behaviour: "prune removes what the retention of the project no longer keeps; --dry-run says what that is.",
    faces: ["cli"],
  },
  {
    id: "retention.kept",
    source: ["surface"],
    behaviour:
      "What is unanswered or undecided, direct messages and the last transcript of a conversation are never removed.",
    faces: ["store", "cli"],
  },
  {
    id: "retention.background",
    source: ["surface"],
    behaviour: "The daemon removes old data every hour by itself, in short transactions, and logs it.",
    faces: ["store"],
  },
  {
    id: "retention.vacuum",
    source: ["surface"],
    behaviour: "prune --vacuum gives free space back to the disk, and is refused where the disk has too little for it.",
    faces: ["cli"],
  },
  {
    id: "retention.reset",
    source: ["surface"],
    behaviour: "A client whose last event is older than the stored ones is told that events are missing.",
    faces: ["http"],
  },
  {
    id: "retention.dead-list",
    source: ["surface"],
    behaviour: "The list of dead letters says how many there are, has pages, and can be limited to an agent or a time.",
    faces: ["cli"],
  },
  {
    id: "retention.dead-many",
    source: ["surface"],
    behaviour: "Many dead letters are retried or dropped at once, after a yes, in parts that block nobody.",
    faces: ["cli"],
  },
  {
    id: "retention.moved",
    source: ["surface"],
    behaviour: "While the database is away nothing is accepted, and work goes on when it is back.",
    faces: ["store", "cli"],
  },
  {
    id: "retention.gone",
    source: ["surface"],
    behaviour: "That the database is gone is said by ls, status, doctor and health; a person begins anew.",
    faces: ["cli", "http"],
  },
  {
    id: "retention.log-gone",
    source: ["surface"],
    behaviour: "A log of the database that was deleted alone is noticed before the next receipt, and nothing is lost.",
    faces: ["cli"],
  },
  {
    id: "retention.restart",
    source: ["surface"],
    behaviour: "A restarted daemon begins with an empty database where there was one only when a person says so.",
    faces: ["cli"],
  },
  {
    id: "retention.put-back",
    source: ["surface"],
    behaviour: "Whoever waits for the first answer after the database was put back gets it.",
    faces: ["cli"],
  },
  {
    id: "retention.moved-project",
    source: ["surface"],
    behaviour:
      "A project that was moved while it was open goes on at its new place, after consent where that is missing.",
    faces: ["cli"],
  },
  {
    id: "retention.opened-later",
    source: ["surface"],
    behaviour: "A project that could not be opened is opened when it can be, without a request.",
    faces: ["cli"],
  },
  {
    id: "retention.held",
    source: ["surface"],
    behaviour: "That another daemon holds a project is said at once, also over MCP, and logged once.",
    faces: ["cli", "mcp"],
  },
];
