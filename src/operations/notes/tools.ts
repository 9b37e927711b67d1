import type { NoteView } from "../../contract/notes.ts";
import { UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { refuse } from "../../kernel/refusal.ts";
import { textPage } from "../core/text-page.ts";
import { readResource } from "../resources/read-resource.ts";
import { formatTextPage } from "../tools/format-text-page.ts";
import { hasArgument, teamTool } from "../tools/team-tool.ts";
import { addNote } from "./add-note.ts";
import { listNotes } from "./list-notes.ts";
import { readNote } from "./read-note.ts";

const PART_CHARS = 16_000;

const { text, title } = addNote.input.shape;
const { offset } = readResource.input.shape;
const name = readNote.input.shape.name.optional();
const limit = listNotes.input.shape.limit.describe("How many to list.");

const noteAdd = teamTool({
  name: "note_add",
  description: "Write a note into your own notebook.",
  input: { text, title },
  uses: [addNote],
  returnsUntrusted: false,
  call: (args, ask) => ask(addNote, args, ({ note }) => `Noted as ${asLine(note.name)}.`),
});

const notesRead = teamTool({
  name: "notes_read",
  description: "Read one of your notes by its name, in parts when it is long; without a name, list them, newest first.",
  input: { name, limit, offset },
  uses: [readNote, listNotes],
  call: ({ name: chosen, limit: most, offset: from }, ask) =>
    chosen === undefined
      ? ask(listNotes, { limit: most }, ({ agent, notes }) => ({
          text: notes.map(noteLine).join("\n") || "No notes yet.",
          data: { agent, notes },
          untrusted: notes.some(({ outside }) => outside),
        }))
      : ask(readNote, { name: chosen }, ({ agent, content, outside }) => {
          const page = { offset: from, ...textPage(content, from, PART_CHARS) };
          const what = outside ? `${asLine(chosen)} (${UNTRUSTED_MARK})` : asLine(chosen);
          return {
            text: formatTextPage(what, page),
            data: { agent, name: chosen, outside, ...page },
            untrusted: outside,
          };
        }),
});

/** Does the work of the two others, which are shown only to agents whose definition names them. */
const note = teamTool({
  name: "note",
  description: "Your own notebook: write `text`, or read the note `name`; with neither, list the notes.",
  input: {
    text: text.optional(),
    title,
    name,
    offset: offset.describe("Characters to skip."),
    limit,
  },
  shown: { limit: null },
  uses: [addNote, readNote, listNotes],
  partFor: (args) => (hasArgument(args, "text") ? noteAdd : notesRead),
  async call({ text: written, title: heading, name: chosen, offset: from, limit: most }, ask) {
    if (written === undefined) return notesRead.call({ name: chosen, offset: from, limit: most }, ask);
    if (chosen === undefined) return noteAdd.call({ text: written, title: heading }, ask);
    return refuse("invalid", "A note is written or read, not both.", {
      hint: "Pass text, and perhaps title; or name.",
    });
  },
});

export const noteTools = [note, noteAdd, notesRead];

function noteLine({ name: file, title: heading, outside }: NoteView): string {
  return `- ${asLine(file)}${outside ? ` (${UNTRUSTED_MARK})` : ""}: ${asLine(heading)}`;
}
