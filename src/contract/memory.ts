import { z } from "zod";

/** What an agent carries with it, as every face shows it. */
export const tierView = z.enum(["core", "working", "archive"]);
export const visibilityView = z.enum(["private", "shareable", "public"]);

export const memoryEntryView = z.object({
  key: z.string(),
  value: z.json(),
  tier: tierView,
  visibility: visibilityView,
  /** Who stands for it; "user" for what a person wrote, also by hand. */
  source: z.string(),
  /** It was written after reading what others said, or what a file or page holds: a claim, not a fact. */
  outside: z.boolean(),
  /** How an agent came to remember it; null when a person wrote it. */
  origin: z
    .object({
      by: z.string(),
      run: z.string().nullable(),
      space: z.string(),
      heard: z.array(z.string()),
      outside: z.boolean(),
    })
    .nullable(),
  /** Null when written by hand. */
  created: z.string().nullable(),
  updated: z.string().nullable(),
  id: z.string().nullable(),
  /** Name of the file inside the memory folder. */
  file: z.string(),
});
export type MemoryEntryView = z.output<typeof memoryEntryView>;

/** A part of the memory that could not be understood; the rest is listed all the same. */
export const memoryProblemView = z.object({ file: z.string(), line: z.int().nullable(), message: z.string() });

export const noteView = z.object({
  /** The handle to read it by. */
  name: z.string(),
  day: z.string().nullable(),
  title: z.string(),
});

export const todoView = z.object({
  /** Position among the open ones, from 1; null when done. */
  number: z.int().nullable(),
  text: z.string(),
  done: z.boolean(),
});

export const conversationEntryView = z.object({
  day: z.string(),
  /** HH:MM:SS, UTC. */
  time: z.string(),
  sender: z.string(),
  text: z.string(),
});
