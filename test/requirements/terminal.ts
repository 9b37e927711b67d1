import type { Requirement } from "./requirement.ts";

/** What people who live in a terminal are promised. */
export const terminal: readonly Requirement[] = [
  {
    id: "terminal.chat",
    behaviour:
      "`chat`, and the command alone in a project on a terminal, shows what is said as it comes, who works on what with seconds, tokens and cost, and sends what is typed.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.calls",
    behaviour:
      "The tool calls of earlier runs are in the chat when it is opened again, folded as before; a change has the same number of lines wherever it is shown.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.decide",
    behaviour:
      "Approvals, votes, suggestions and dead letters appear in the chat in their place, one is asked at a time, and a letter with Enter decides it; a command is shown as a command, an edit as a diff. A yes is taken only for what was on the screen to its end. The beginning of a message decides nothing.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.scroll",
    behaviour: "Everything that was said can be scrolled and searched, and the time a key takes does not grow with it.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.input",
    behaviour:
      "The input takes several lines, completes names, paths and commands, sends files by @path, and loses nothing that was not accepted.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.survives",
    behaviour:
      "The chat survives a change of size, a daemon that ends, and terminals without colours; it says what happens and goes on.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.plain",
    behaviour: "With --plain the chat prints plain lines and changes nothing that was printed.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.frames",
    behaviour: "A frame writes only the rows that changed, and clears none before.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.summary",
    behaviour:
      "At a terminal, `run` and `send --wait` ask for decisions in place and end with a summary: outcome, time, tokens, cost, files, documents, what is left and what to type. With --quiet, --json or a pipe there is none of it.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.interrupt",
    behaviour: "Ctrl-C says how to follow the work and how to stop it; a second one at once stops it.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.width",
    behaviour: "East Asian text and emoji keep tables and lines aligned.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.full",
    behaviour: "`pending --full` and `runs show --full` show whole calls: a command as a command, a change as a diff.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.finished",
    behaviour:
      "The chat opens a finished workspace to be read, says that it is finished and what to type; a message for it becomes the command that goes on in it.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.stopped",
    behaviour: "After `stop --all` the chat says that everything is stopped, and what goes on with it.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.model",
    behaviour:
      "`/model NAME MODEL` and `agent edit NAME --model MODEL` write the model into the agent's file and change nothing else in it; the next run uses it, and what has no file of its own is refused with where to change it.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.names",
    behaviour:
      "Completion offers agents, workflows, workspaces, tags and ids of the project, and starts no daemon for it.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "terminal.top",
    behaviour: "`top` shows who works on what as it happens.",
    faces: ["cli"],
    source: ["surface"],
  },
];
