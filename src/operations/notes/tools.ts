import type { NoteView } from "../../contract/notes.ts";
import { UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import { asLine } from "../../guard/context/section-markup.ts";
import { textPage } from "../core/text-page.ts";
import { readResource } from "../resources/read-resource.ts";
import { formatTextPage } from "../tools/format-text-page.ts";
import { teamTool } from "../tools/team-tool.ts";
import { addNote } from "./add-note.ts";
import { listNotes } from "./list-notes.ts";
import { readNote } from "./read-note.ts";

const PART_CHARS = 16_000;

function noteLine({ name, title, outside }: NoteView): string {
  return `- ${asLine(name)}${outside ? ` (${UNTRUSTED_MARK})` : ""}: ${asLine(title)}`;
}

export const noteTools = [
  teamTool({
    name: "note_add",
    description:
      "Write a note into your own notebook: a reflection, something you learned. After reading what others said or what " +
      "a file holds it is marked as outside text.",
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
        ? ask(listNotes, { limit }, ({ agent, notes }) => ({
            text: notes.map(noteLine).join("\n") || "No notes yet.",
            data: { agent, notes },
            untrusted: notes.some(({ outside }) => outside),
          }))
        : ask(readNote, { name }, ({ agent, content, outside }) => {
            const page = { offset, ...textPage(content, offset, PART_CHARS) };
            const what = outside ? `${asLine(name)} (${UNTRUSTED_MARK})` : asLine(name);
            return {
              text: formatTextPage(what, page),
              data: { agent, name, outside, ...page },
              untrusted: outside,
            };
          }),
  }),
];
