import type { Requirement } from "./requirement.ts";

/** Definition files are the only source of truth: what they say counts for the next run. */
export const definitions: readonly Requirement[] = [
  {
    id: "definitions.next-run",
    source: ["surface"],
    behaviour: "A change of a definition file counts for the next run, without a command in between.",
    faces: ["cli"],
  },
  {
    id: "definitions.removed",
    source: ["surface"],
    behaviour:
      "An agent whose file was removed gets no further run. What waited for it becomes dead letters with the reason, and can be retried when the agent is back.",
    faces: ["cli"],
  },
  {
    id: "definitions.broken",
    source: ["surface"],
    behaviour:
      "While a file is broken, the messages of its agent wait; send, inbox, ls and status say where the mistake is; mending it is enough.",
    faces: ["cli"],
  },
  {
    id: "definitions.unknown-key",
    source: ["surface"],
    behaviour:
      "A file with an unknown key is not used: an agent begins no run, a workflow does not start, and in the project file it stops everything.",
    faces: ["cli", "file"],
  },
  {
    id: "definitions.document-owner",
    source: ["surface"],
    behaviour:
      "The owner of the documents of an open workspace follows the file of its workflow; what a person or a ballot decided stays until the file says something else.",
    faces: ["cli"],
  },
  {
    id: "definitions.in-progress",
    source: ["surface"],
    behaviour: "A run keeps the definition it began with, and runs show says which that is and whether it changed.",
    faces: ["cli"],
  },
  {
    id: "definitions.members",
    source: ["surface"],
    behaviour:
      "The members of an open workspace are what the files say now, also after a restart: changed, added and removed ones.",
    faces: ["cli"],
  },
  {
    id: "definitions.one-loop",
    source: ["surface"],
    behaviour: "An agent under another name in a workflow is the same agent: it never does two things at once.",
    faces: ["cli"],
  },
  {
    id: "definitions.schedules",
    source: ["surface"],
    behaviour: "A schedule in a file begins when it is written, ends when it is deleted, and goes with its agent.",
    faces: ["cli"],
  },
  {
    id: "definitions.path",
    source: ["surface"],
    behaviour:
      "A workflow that is run by its path is read each time and never stands in for the project's; its open workspace keeps the path over restarts.",
    faces: ["cli"],
  },
];
