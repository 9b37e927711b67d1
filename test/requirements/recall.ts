import type { Requirement } from "./requirement.ts";

/** What an agent stored stays reachable. */
export const recall: readonly Requirement[] = [
  {
    id: "recall.why",
    source: ["surface"],
    behaviour: "Each result of a search says why it was found, and carries its date.",
    faces: ["cli", "mcp"],
  },
  {
    id: "recall.context",
    source: ["proof"],
    behaviour: "An answer that has no word of the question is found by the turn before it, its day and its speaker.",
    faces: ["store"],
  },
  {
    id: "recall.dates",
    source: ["proof"],
    behaviour: "A date in a question, in words or relative to now, finds what was said that day.",
    faces: ["store"],
  },
  {
    id: "recall.never-a-hit",
    source: ["traps"],
    behaviour: "The question itself, the message being answered and bare replies are no results.",
    faces: ["cli", "mcp"],
  },
  {
    id: "recall.embedding",
    source: ["surface"],
    behaviour: "With an embedding model texts are found by meaning; its failure or change harms no search.",
    faces: ["cli"],
  },
  {
    id: "recall.rerank",
    source: ["surface"],
    behaviour: "The model of the guard may order the results of a search, and can neither add nor remove one.",
    faces: ["engine"],
  },
  {
    id: "recall.nothing-fades",
    source: ["traps"],
    behaviour: "Archived memories are in prompts that are about them, and the prompt says how much it does not show.",
    faces: ["engine"],
  },
  {
    id: "recall.similar",
    source: ["surface"],
    behaviour: "Storing names another memory about the same thing and how to replace it.",
    faces: ["cli", "mcp"],
  },
  {
    id: "recall.replaced",
    source: ["surface"],
    behaviour: "A replaced memory stays findable with the date until which it was true; the current one is marked.",
    faces: ["cli", "file"],
  },
  {
    id: "recall.archive-many",
    source: ["surface"],
    behaviour: "Archiving many memories is done in parts, each file once, and shows how many are left.",
    faces: ["cli"],
  },
  {
    id: "recall.archive-others",
    source: ["surface"],
    behaviour: "Archiving 1,300 memories takes seconds and shows progress, and other agents answer meanwhile.",
    faces: ["cli"],
  },
  {
    id: "memory.replaced-shown",
    source: ["surface"],
    behaviour:
      "A memory that was replaced is marked where it is read, and the hint about a similar one works as it is written.",
    faces: ["cli"],
  },
];
