import type { Requirement } from "./requirement.ts";

/** Proposals that a project, or a program around the daemon, defines in code. */
export const ownProposals: readonly Requirement[] = [
  {
    id: "own.trust",
    source: ["000", "product"],
    behaviour: "Code of a project runs only after a person allowed exactly this content, whatever command is typed.",
    faces: ["cli", "http"],
  },
  {
    id: "own.everywhere",
    source: ["000", "002", "product"],
    behaviour: "One definition is a command, a route with its description, a tool of agents and a tool of persons.",
    faces: ["cli", "http", "mcp", "engine"],
  },
  {
    id: "own.reload",
    source: ["product"],
    behaviour:
      "A changed file counts for the next call, a deleted one is gone, a broken one is refused with its place.",
    faces: ["file", "cli"],
  },
  {
    id: "own.failure",
    source: ["product", "traps"],
    behaviour: "What its code throws, forgets or never finishes is a refusal of that call; the daemon goes on.",
    faces: ["cli", "http"],
  },
  {
    id: "own.rights",
    source: ["product"],
    behaviour: "Who may call it follows from its access and from `tools` and `permissions` of the agent, on every way.",
    faces: ["http", "engine"],
  },
  {
    id: "own.names",
    source: ["product"],
    behaviour: "A name of something built-in, or one that is used twice, is refused with its place.",
    faces: ["cli"],
  },
  {
    id: "own.compose",
    source: ["000", "product"],
    behaviour: "It posts, remembers, and makes other proposals in one transaction; a refusal undoes all of it.",
    faces: ["store"],
  },
  {
    id: "own.follows",
    source: ["000", "product"],
    behaviour: "A rule and a ballot may propose it, in their own workspace.",
    faces: ["cli"],
  },
  {
    id: "own.once",
    source: ["traps"],
    behaviour: "Quotas, redaction and the answers of repeated calls hold for it as for built-in proposals.",
    faces: ["store", "engine"],
  },
  {
    id: "own.embedded",
    source: ["product"],
    behaviour: "A program around the daemon gives proposals of its own, without files and consent.",
    faces: ["http"],
  },
  {
    id: "own.example",
    source: ["product"],
    behaviour: "The documented merge gate needs two approvals and a green test run.",
    faces: ["cli"],
  },
  {
    id: "own.grants",
    source: ["surface"],
    behaviour:
      "An own proposal is granted like a tool of the team: it is there in the next step, and gone after a revocation.",
    faces: ["cli", "engine"],
  },
  {
    id: "own.kill",
    source: ["traps"],
    behaviour: "A step that a kill cuts off inside an own proposal does each thing once when it is made again.",
    faces: ["engine", "store"],
  },
  {
    id: "own.broken",
    source: ["surface"],
    behaviour: "A mistake in the code is named where the proposal is called and where its code is allowed.",
    faces: ["cli"],
  },
];
