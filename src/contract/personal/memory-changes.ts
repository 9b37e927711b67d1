import { z } from "zod";
import { declareProposal, declareQuery } from "../operation.ts";

/** One of the entries that a change is about. */
const changedEntryView = z.object({
  key: z.string(),
  text: z.string(),
  /** True when it may come from untrusted content. */
  outside: z.boolean(),
});

/** What the guard did when it tidied up the memory of an agent, or what it asks the agent's person. */
export const memoryChangeView = z.object({
  id: z.string(),
  agent: z.string(),
  /**
   * note: a note about a day of conversation. merged: an entry was set aside, because another one says the same.
   * promoted: an archived entry is working memory again. question: two entries contradict each other.
   */
  kind: z.enum(["note", "merged", "promoted", "question"]),
  state: z.enum(["done", "undone", "open", "answered"]),
  /** The day of a note, or the key of an entry. */
  subject: z.string(),
  reason: z.string(),
  entries: z.array(changedEntryView),
  /** The file of a note. */
  note: z.string().nullable(),
  /** The answer to a question: the key that stays; null when both are true, or when it is not answered. */
  kept: z.string().nullable(),
  at: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
});
export type MemoryChangeView = z.output<typeof memoryChangeView>;

const id = z.string().min(1).describe("Id of the change, such as chg_...");

export const tidyMemory = declareProposal({
  name: "tidy-memory",
  summary: "Tidy up the memory of an agent now: notes of long days, repeated entries, contradictions.",
  method: "POST",
  path: "/agents/:agent/tidy",
  input: z.object({ agent: z.string() }),
  output: z.object({ agent: z.string(), changes: z.array(memoryChangeView) }),
});

export const listMemoryChanges = declareQuery({
  name: "list-memory-changes",
  summary: "List what the guard changed in the memory of agents, and what it asks about, newest first.",
  method: "GET",
  path: "/memory-changes",
  input: z.object({
    agent: z.string().optional(),
    state: z.enum(["done", "undone", "open", "answered"]).optional(),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ changes: z.array(memoryChangeView) }),
});

export const undoMemoryChange = declareProposal({
  name: "undo-memory-change",
  summary: "Take back one thing that the guard did when it tidied up.",
  method: "POST",
  path: "/memory-changes/:id/undo",
  input: z.object({ id }),
  output: memoryChangeView,
});

export const answerMemoryQuestion = declareProposal({
  name: "answer-memory-question",
  summary: "Say which of two contradicting memories is true; the other one is set aside.",
  method: "POST",
  path: "/memory-changes/:id/answer",
  input: z.object({ id, keep: z.string().optional().describe("Key of the memory that is true. Without it both are.") }),
  output: memoryChangeView,
});
