import type { Requirement } from "./requirement.ts";

/** The model half of the guard, and what agents know of each other. */
export const guard: readonly Requirement[] = [
  {
    id: "guard.validate",
    source: ["001"],
    behaviour:
      "The guard's model decides whether a memory is worth storing and true to what was said, and the agent reads why not.",
    faces: ["cli"],
  },
  {
    id: "guard.select",
    source: ["001"],
    behaviour: "The guard's model chooses which memories and documents a prompt shows when not all have room.",
    faces: ["cli"],
  },
  {
    id: "guard.use-shown",
    source: ["001"],
    behaviour: "What the guard asked its model is shown in the run, and apart in the statistics, with tokens and cost.",
    faces: ["cli"],
  },
  {
    id: "guard.person",
    source: ["001"],
    behaviour: "The guard's model never refuses a person, and each of its uses can be switched off.",
    faces: ["cli"],
  },
  {
    id: "guard.fallback",
    source: ["001"],
    behaviour: "When the guard's model fails or answers in another form, the rules decide, and the run shows it.",
    faces: ["cli"],
  },
  {
    id: "guard.budget",
    source: ["001"],
    behaviour: "The guard's model has a limit of tokens for each agent and day.",
    faces: ["cli"],
  },
  {
    id: "guard.poisoning",
    source: ["001", "proof"],
    behaviour:
      "Whatever way a text enters, a model that obeys it makes nothing of it core, shared or unmarked memory, also when the guard's model obeys it.",
    faces: ["cli"],
  },
  {
    id: "knowledge.sources",
    source: ["001"],
    behaviour:
      "An agent that is asked answers with a summary and the keys and days of its entries, never with private ones.",
    faces: ["cli", "mcp"],
  },
  {
    id: "knowledge.share-with",
    source: ["001"],
    behaviour: "A memory that names agents is told to them when they ask, and to no one else.",
    faces: ["cli", "mcp"],
  },
  {
    id: "knowledge.same-name",
    source: ["001"],
    behaviour:
      "An agent of a workflow that only has the name of another agent is not told what is shared with that one.",
    faces: ["cli"],
  },
  {
    id: "knowledge.model",
    source: ["001"],
    behaviour:
      "The summary is written by the model of the asked agent's guard, from shared entries alone; else by rules.",
    faces: ["cli"],
  },
  {
    id: "knowledge.questions",
    source: ["001"],
    behaviour: "Who asked what is shown to people and to the agent that was asked about.",
    faces: ["cli", "mcp"],
  },
  {
    id: "guard.doctor",
    source: ["surface"],
    behaviour:
      "`doctor` says why the model of the guard cannot be asked, and that the last question to it was not answered.",
    faces: ["cli"],
  },
  {
    id: "guard.imported-skills",
    source: ["traps"],
    behaviour: "A prompt holds nothing that the author of an imported skill wrote, before the agent reads it.",
    faces: ["engine"],
  },
];
