import type { Requirement } from "./requirement.ts";

/** Long channels and conversations in prompts, and memory that is tidied up. */
export const compression: readonly Requirement[] = [
  {
    id: "compress.channel",
    source: ["product"],
    behaviour:
      "A channel gets what is left of the prompt's budget. What does not fit is counted and summarised with message ranges, and the prompt says how to read it.",
    faces: ["engine"],
  },
  {
    id: "compress.budget",
    source: ["product"],
    behaviour: "`guard.budget.prompt` is the size of a prompt.",
    faces: ["engine"],
  },
  {
    id: "compress.model",
    source: ["product"],
    behaviour: "Where a model of the guard is named, it writes the summaries, after a run and never before it.",
    faces: ["engine"],
  },
  {
    id: "compress.model-fails",
    source: ["product"],
    behaviour: "When the model fails, rules make the summary, and the receipt of the run says so.",
    faces: ["cli"],
  },
  {
    id: "compress.conversation",
    source: ["product"],
    behaviour: "A long conversation is counted and summarised like a channel.",
    faces: ["engine"],
  },
  {
    id: "compress.levels",
    source: ["product"],
    behaviour: "Each range of messages is summarised once, and older summaries are summarised in their turn.",
    faces: ["store"],
  },
  {
    id: "compress.files",
    source: ["product"],
    behaviour:
      "Archived days are summarised too; a cleared conversation is not, and an edited file is summarised anew.",
    faces: ["store"],
  },
  {
    id: "tidy.done",
    source: ["product"],
    behaviour:
      "Tidying up notes long days of conversation, sets repeated memories aside and asks about contradictions; all of it is listed.",
    faces: ["cli"],
  },
  {
    id: "tidy.provenance",
    source: ["product"],
    behaviour:
      "Tidying up changes the provenance of no memory, and untrusted content displaces nothing that is trusted.",
    faces: ["cli"],
  },
  {
    id: "tidy.question",
    source: ["product"],
    behaviour: "A person says which of two contradicting memories is true.",
    faces: ["cli"],
  },
  {
    id: "tidy.undo",
    source: ["product"],
    behaviour: "Each change can be undone, and what was undone is not done again.",
    faces: ["cli"],
  },
  {
    id: "tidy.idle",
    source: ["product"],
    behaviour: "The memory of a quiet agent is tidied up at most once a day, also across restarts.",
    faces: ["store"],
  },
  {
    id: "tidy.off",
    source: ["product"],
    behaviour: "`guard: {consolidate: false}` switches it off.",
    faces: ["store"],
  },
  {
    id: "tidy.promoted",
    source: ["product"],
    behaviour: "A memory that is recalled often leaves the archive, and none becomes core.",
    faces: ["store"],
  },
];
