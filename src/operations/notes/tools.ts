import { asLine } from "../../guard/context/section-markup.ts";
import { addNote } from "./add-note.ts";
import { addTodo } from "../todos/add-todo.ts";
import { finishTodo } from "../todos/finish-todo.ts";
import { listNotes } from "./list-notes.ts";
import { listTodos } from "../todos/list-todos.ts";
import { readNote } from "./read-note.ts";
import { readResource } from "../resources/read-resource.ts";
import { textPage } from "../core/text-page.ts";
import { paginateText } from "../tools/paginate-text.ts";
import { teamTool } from "../tools/team-tool.ts";

const PART_CHARS = 16_000;

/** The agent's own notes and todos. */
export const notebookTools = [
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
            return { text: paginateText(asLine(name), page), data: { agent, name, ...page } };
          }),
  }),
  teamTool({
    name: "todo_add",
    description: "Put something on your own list of things to do.",
    input: { text: addTodo.input.shape.text },
    uses: [addTodo],
    needs: "personal context",
    returnsUntrusted: false,
    call: (args, ask) => ask(addTodo, args, ({ todo }) => `Added as ${todo.number}: ${asLine(todo.text)}`),
  }),
  teamTool({
    name: "todo_done",
    description: "Tick one of your open todos off by its number.",
    input: { number: finishTodo.input.shape.number, text: finishTodo.input.shape.text },
    uses: [finishTodo],
    needs: "personal context",
    returnsUntrusted: false,
    call: (args, ask) => ask(finishTodo, args, ({ todo }) => `Done: ${asLine(todo.text)}`),
  }),
  teamTool({
    name: "todo_list",
    description: "List your open todos with their numbers.",
    input: {},
    uses: [listTodos],
    needs: "personal context",
    call: (_args, ask) =>
      ask(
        listTodos,
        {},
        ({ todos }) => todos.map(({ number, text }) => `${number}. ${asLine(text)}`).join("\n") || "Nothing to do.",
      ),
  }),
];
