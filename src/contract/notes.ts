import { z } from "zod";
import { declareProposal, declareQuery } from "./operation.ts";
import { personalAgent, personalText } from "./memory.ts";

export const noteView = z.object({
  /** The file name, for `read-note`. */
  name: z.string(),
  day: z.string().nullable(),
  title: z.string(),
  /** It may contain untrusted content. */
  outside: z.boolean(),
});

export type NoteView = z.output<typeof noteView>;

export const listNotes = declareQuery({
  name: "list-notes",
  summary: "List the notes of an agent, newest first.",
  method: "GET",
  path: "/agents/:agent/notes",
  personTool: "note_list",
  input: z.object({ agent: personalAgent, limit: z.int().min(1).max(500).default(20) }),
  output: z.object({ agent: z.string(), notes: z.array(noteView) }),
});

export const readNote = declareQuery({
  name: "read-note",
  summary: "Read one note of an agent.",
  method: "GET",
  path: "/agents/:agent/notes/:name",
  personTool: "note_read",
  input: z.object({
    agent: personalAgent,
    name: z.string().min(1).describe("File name, as the list of notes gives it."),
  }),
  output: z.object({ agent: z.string(), name: z.string(), content: z.string(), outside: z.boolean() }),
});

export const addNote = declareProposal({
  name: "add-note",
  summary: "Write a note into an agent's own notebook.",
  method: "POST",
  path: "/agents/:agent/notes",
  personTool: "note_add",
  large: true,
  input: z.object({ agent: personalAgent, text: personalText, title: z.string().max(200).optional() }),
  output: z.object({ agent: z.string(), note: noteView }),
});
