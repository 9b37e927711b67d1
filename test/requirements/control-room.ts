import type { Requirement } from "./requirement.ts";

/** Running a team from the page: editing, the first run, the phone. */
export const controlRoom: readonly Requirement[] = [
  {
    id: "ui.no-ids",
    source: ["surface"],
    behaviour: "The page shows people names, titles, times and quotes; no notice or line of the system shows a raw id.",
    faces: ["ui"],
  },
  {
    id: "ui.members",
    source: ["surface"],
    behaviour:
      "The form of a workflow adds, changes and removes its members; the change is a diff before it is written.",
    faces: ["ui"],
  },
  {
    id: "ui.notifications",
    source: ["surface"],
    behaviour:
      "Desktop notifications about mentions and decisions are shown when a person turned them on, and not before.",
    faces: ["ui"],
  },
  {
    id: "definition.edit",
    source: ["surface"],
    behaviour:
      "The files of agents, workflows, prompts and the project are read, checked and written with a revision; two writers never overwrite each other silently.",
    faces: ["http", "cli", "ui"],
  },
  {
    id: "definition.consent",
    source: ["surface"],
    behaviour:
      "What a person adds by editing a definition through the page is allowed; what was there before and was not allowed still rests.",
    faces: ["http", "ui"],
  },
  {
    id: "schedule.pause",
    source: ["surface"],
    behaviour:
      "A schedule is paused, resumed and run now by a person, also one of a definition, and its last firings are listed.",
    faces: ["http", "cli", "ui"],
  },
  {
    id: "document.history",
    source: ["surface"],
    behaviour: "The earlier revisions of a document are listed, read and compared.",
    faces: ["http", "cli", "ui"],
  },
  {
    id: "ui.first-run",
    source: ["surface"],
    behaviour: "An empty project invites: a team from a template, the demo, a key of a model, and what doctor says.",
    faces: ["ui", "http"],
  },
  {
    id: "ui.edit",
    source: ["surface"],
    behaviour:
      "Agents, workflows, prompts, memory, notes, todos, schedules, rules and documents are changed on the page, with a diff before anything is written.",
    faces: ["ui"],
  },
  {
    id: "ui.without-terminal",
    source: ["surface"],
    behaviour:
      "A person who never uses the terminal after `agent-worker ui` makes a team, gives it work, approves an edit, changes a prompt and sees what it cost.",
    faces: ["ui"],
  },
  {
    id: "ui.accessible",
    source: ["surface"],
    behaviour: "Every view has no finding of axe, in light and dark, at 390 and at 1440 pixels.",
    faces: ["ui"],
  },
  {
    id: "ui.phone",
    source: ["surface"],
    behaviour:
      "The page can be installed, opened from another device with a pairing code over TLS, also behind a reverse proxy, and used at 390 pixels; off by default.",
    faces: ["ui", "http", "cli"],
  },
  {
    id: "ui.nodes",
    source: ["surface"],
    behaviour: "With several nodes the page lists them, and shows what is written on each of them as it is written.",
    faces: ["ui"],
  },
  {
    id: "ui.firefox",
    source: ["surface"],
    behaviour:
      "In Firefox a person signs in, reads a stream, sends, approves and edits, and the browser has nothing to complain about.",
    faces: ["ui"],
  },
  {
    id: "document.authors",
    source: ["surface"],
    behaviour:
      "The history of a document says who wrote each revision, an agent or the person; null where that is not known.",
    faces: ["http", "cli", "ui"],
  },
];
