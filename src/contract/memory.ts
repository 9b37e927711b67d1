import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";

/** The agent whose personal context an operation is about. */
export const personalAgent = z.string().optional().describe("Whose it is. Agents: leave it out.");

/** The limit is far above those of the files, whose refusals name the exact limit. */
export const personalText = z.string().max(1024 * 1024, "the text is too long");

export const tierView = z.enum(["core", "working", "archive"]);
export const visibilityView = z.enum(["private", "shareable", "public"]);

export const memoryEntryView = z.object({
  key: z.string(),
  value: z.json(),
  tier: tierView,
  visibility: visibilityView,
  /** The author; "user" for a person, also for an entry edited by hand. */
  source: z.string(),
  /** True when it may come from untrusted content: it is a claim, not a fact. */
  outside: z.boolean(),
  /** The run that stored it. Null when a person wrote it. */
  origin: z
    .object({
      by: z.string(),
      run: z.string().nullable(),
      space: z.string(),
      heard: z.array(z.string()),
      outside: z.boolean(),
    })
    .nullable(),
  /** Null for an entry written by hand. */
  created: z.string().nullable(),
  updated: z.string().nullable(),
  id: z.string().nullable(),
  /** Id or key of the memory that it replaces. */
  replaces: z.string().nullable(),
  /** Since when another memory replaces it, and the key of that one. Null: it is current. */
  validUntil: z.string().nullable(),
  replacedBy: z.string().nullable(),
  /** Its file, relative to the memory folder. */
  file: z.string(),
});
export type MemoryEntryView = z.output<typeof memoryEntryView>;

const memoryNameView = z.object({ key: z.string().nullable(), id: z.string().nullable() });

/** A part of the memory files that could not be read. */
export const memoryProblemView = z.object({ file: z.string(), line: z.int().nullable(), message: z.string() });

/** A search result: a memory, a part of a note, or a part of a conversation. */
export const recalledView = memoryEntryView.extend({
  kind: z.enum(["memory", "note", "conversation"]),
  /** Its origin as text. Null when it is unknown. */
  from: z.string().nullable(),
  /** Relevance, comparable only within one search. */
  score: z.number(),
  /** Why it was found: "words: deploy, friday; same day". */
  why: z.string(),
});
export type RecalledView = z.output<typeof recalledView>;

/** A question that an agent or a person asked about the memories of an agent. */
export const questionView = z.object({
  id: z.string(),
  agent: z.string(),
  asker: z.string(),
  space: z.string(),
  run: z.string().nullable(),
  query: z.string(),
  /** How many extracts the answer had. */
  shared: z.int(),
  at: z.string(),
});

export const listMemory = declareQuery({
  name: "list-memory",
  summary: "List everything an agent remembers, and the files of its memory that cannot be read.",
  method: "GET",
  path: "/agents/:agent/memory",
  personTool: "memory_list",
  input: z.object({ agent: personalAgent, tier: tierView.optional() }),
  output: z.object({ agent: z.string(), entries: z.array(memoryEntryView), problems: z.array(memoryProblemView) }),
});

export const searchMemory = declareQuery({
  name: "search-memory",
  summary: "Find what an agent knows about something: in its memory, its notes and its conversations, the best first.",
  method: "GET",
  path: "/agents/:agent/memory/search",
  personTool: "memory_search",
  input: z.object({
    agent: personalAgent,
    query: z
      .string()
      .max(1000)
      .refine((text) => text.trim() !== "", "the query is empty"),
    tier: tierView.optional(),
    limit: z.int().min(1).max(500).default(20),
  }),
  output: z.object({ agent: z.string(), entries: z.array(recalledView) }),
});

export const getMemory = declareQuery({
  name: "get-memory",
  summary: "Get one memory of an agent by its key or id.",
  method: "GET",
  path: "/agents/:agent/memory/:key",
  personTool: "memory_get",
  input: z.object({ agent: personalAgent, key: z.string().min(1).describe("Key or id of the memory.") }),
  output: z.object({ agent: z.string(), entry: memoryEntryView }),
});

export const setMemory = declareProposal({
  name: "set-memory",
  summary: "Remember something under a key, replacing what was there.",
  method: "PUT",
  path: "/agents/:agent/memory/:key",
  personTool: "memory_set",
  large: true,
  input: z.object({
    agent: personalAgent,
    key: z.string().min(1).describe("A short name on one line, such as review-style"),
    value: z.union([personalText.min(1, "there is nothing to remember"), z.number(), z.boolean()]),
    tier: tierView.optional().describe("working unless said otherwise; core is for persons to set"),
    visibility: visibilityView.optional().describe("private unless said otherwise"),
    unnamed: z.boolean().default(false).describe("The key was made up from the value, and says no more than it."),
    replaces: z
      .string()
      .min(1)
      .optional()
      .describe("Id or key of a memory that is no longer true. It can still be found, marked as replaced by this one."),
  }),
  output: z.object({
    agent: z.string(),
    entry: memoryEntryView,
    /** True when it is less visible than requested, because it may come from untrusted content. */
    heldBack: z.boolean(),
    /** Another memory about the same thing, which it may repeat or contradict. The key is null when it may not be told. */
    similar: memoryNameView.nullable(),
    /** The memory that it replaces, named in the same way. */
    replaced: memoryNameView.nullable(),
  }),
});

export type SetMemoryOutput = z.output<typeof setMemory.output>;

export const forgetMemory = declareProposal({
  name: "forget-memory",
  summary: "Forget one memory, by its key or id; the answer shows it for the last time.",
  method: "DELETE",
  path: "/agents/:agent/memory/:key",
  personTool: "memory_forget",
  input: z.object({ agent: personalAgent, key: z.string().min(1).describe("Key or id of the memory.") }),
  output: z.object({ agent: z.string(), entry: memoryEntryView }),
});

export const promoteMemory = declareProposal({
  name: "promote-memory",
  summary: "Stand for a memory of an agent, and make it core or visible to others.",
  method: "POST",
  path: "/agents/:agent/memory/:key/promote",
  input: z.object({
    agent: z.string().describe("Whose memory it is."),
    key: z.string().min(1).describe("Key or id of the memory."),
    tier: tierView.optional(),
    visibility: visibilityView.optional(),
  }),
  output: z.object({ agent: z.string(), entry: memoryEntryView }),
});

export const archiveMemory = declareProposal({
  name: "archive-memory",
  summary: "Move unused memories and old conversations of an agent to its archive.",
  method: "POST",
  path: "/agents/:agent/archive",
  input: z.object({
    agent: z.string(),
    limit: z.int().min(1).max(10_000).optional().describe("At most so many memories at once; all of them when absent."),
  }),
  output: z.object({
    agent: z.string(),
    /** Keys of the archived memories. */
    entries: z.array(z.string()),
    /** How many memories are left to archive because of the limit. */
    left: z.int(),
    /** Names of the archived conversation files. */
    conversations: z.array(z.string()),
  }),
});

export const askAgent = declareProposal({
  name: "ask-agent",
  summary: "Ask what another agent shares about something. The question is kept where people can see it.",
  method: "POST",
  path: "/agents/:agent/ask",
  personTool: "ask_agent",
  input: z.object({
    agent: z.string().min(1).describe("Whom to ask about, by name."),
    query: z
      .string()
      .max(1000)
      .refine((text) => text.trim() !== "", "the question is empty")
      .describe("What you want to know, in plain language."),
  }),
  output: z.object({
    agent: z.string(),
    /** Extracts of what the agent shares, the best first. */
    shared: z.array(z.string()),
    question: z.string(),
  }),
});

export const listQuestions = declareQuery({
  name: "list-questions",
  summary: "List who asked what about an agent's memory, newest first.",
  method: "GET",
  path: "/agents/:agent/questions",
  input: z.object({ agent: z.string(), limit: z.int().min(1).max(500).default(50) }),
  output: z.object({ agent: z.string(), questions: z.array(questionView) }),
});
