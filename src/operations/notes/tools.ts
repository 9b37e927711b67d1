import { asLine } from "../../guard/context/section-markup.ts";
import { textPage } from "../core/text-page.ts";
import { readResource } from "../resources/read-resource.ts";
import { formatTextPage } from "../tools/format-text-page.ts";
import { teamTool } from "../tools/team-tool.ts";
import { addNote } from "./add-note.ts";
import { listNotes } from "./list-notes.ts";
import { readNote } from "./read-note.ts";

const PART_CHARS = 16_000;

export const noteTools = [
  teamTool({
    name: "note_add",
    description: "Write a note into your own notebook: a reflection, something you learned.",
    input: { text: addNote.input.shape.text, title: addNote.input.shape.title },
    uses: [addNote],
    needs: "personal context",
    returnsUntrusted: false,
    call: (args, ask) => ask(addNote, args, ({ note }) => `Noted as ${asLine(note.name)}.`),
  }),
  teamTool({
    name: "notes_read",
    description:
      "Read one of your notes by its name, in parts when it is long; without a name, list them, newest first.",
    input: {
      name: readNote.input.shape.name.optional(),
      limit: listNotes.input.shape.limit.describe("How many to list."),
      offset: readResource.input.shape.offset,
    },
    uses: [readNote, listNotes],
    needs: "personal context",
    call: ({ name, limit, offset }, ask) =>
      name === undefined
        ? ask(listNotes, { limit }, ({ notes }) => {
            return notes.map((note) => `- ${asLine(note.name)}: ${asLine(note.title)}`).join("\n") || "No notes yet.";
          })
        : ask(readNote, { name }, ({ agent, content }) => {
            const page = { offset, ...textPage(content, offset, PART_CHARS) };
            return { text: formatTextPage(asLine(name), page), data: { agent, name, ...page } };
          }),
  }),
];
