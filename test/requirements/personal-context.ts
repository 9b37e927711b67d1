import type { Requirement } from "./requirement.ts";

/** What travels with an agent, and the guard that chooses, mediates and governs it. */
export const personalContext: readonly Requirement[] = [
  {
    id: "soul.suggest",
    source: ["000", "001", "surface"],
    behaviour: "An agent can only suggest a change to a soul, never make one.",
    faces: ["mcp"],
  },
  {
    id: "soul.observe",
    source: ["001"],
    behaviour: "The guard proposes a change to a soul from repeated behaviour, with its evidence.",
    faces: ["store"],
  },
  {
    id: "soul.approve",
    source: ["000", "001", "surface"],
    behaviour: "An approved proposal changes the soul, and a rejected one does not.",
    faces: ["cli"],
  },
  {
    id: "soul.low-risk",
    source: ["001"],
    behaviour:
      "Small changes may be applied by themselves where the project allows it; significant ones always wait for a person.",
    faces: ["store"],
  },
  {
    id: "soul.history",
    source: ["001", "surface"],
    behaviour: "Every version of a soul is kept with its difference.",
    faces: ["cli"],
  },
  {
    id: "soul.rollback",
    source: ["001", "surface"],
    behaviour: "A soul can be put back to an earlier version.",
    faces: ["cli"],
  },
  {
    id: "soul.baseline",
    source: ["000", "001"],
    behaviour: "The soul in the definition file is the baseline and is never rewritten by an agent.",
    faces: ["file"],
  },
  {
    id: "memory.set-get",
    source: ["000"],
    behaviour: "A memory entry that was set is got back under its key, also after a restart.",
    faces: ["file"],
  },
  {
    id: "memory.list",
    source: ["000"],
    behaviour: "Showing memory gives every entry of that agent and of no other.",
    faces: ["file"],
  },
  {
    id: "memory.delete",
    source: ["surface"],
    behaviour: "A deleted memory entry is gone from the file.",
    faces: ["file"],
  },
  {
    id: "memory.missing",
    source: ["product"],
    behaviour: "Getting a memory key that does not exist is refused by name.",
    faces: ["file"],
  },
  {
    id: "memory.yaml",
    source: ["000", "product"],
    behaviour: "Memory is YAML a person can edit, and an edit by hand is seen.",
    faces: ["file"],
  },
  {
    id: "memory.key-confined",
    source: ["traps"],
    behaviour: "A memory key that is a path, hidden or reserved never leaves the memory folder.",
    faces: ["file"],
  },
  {
    id: "memory.redacted",
    source: ["product"],
    behaviour: "A secret is redacted before it is written to memory or notes.",
    faces: ["file"],
  },
  {
    id: "memory.facts",
    source: ["001", "surface", "traps"],
    behaviour:
      "An entry keeps its tier, visibility, author and times, and is working and private unless said otherwise.",
    faces: ["file"],
  },
  {
    id: "memory.search-words",
    source: ["000", "surface"],
    behaviour: "Searching memory finds the entries that hold every word of the query.",
    faces: ["file"],
  },
  {
    id: "memory.tiers",
    source: ["001"],
    behaviour:
      "Memory has a core tier that is always loaded, a working tier chosen by relevance and an archive that is loaded only when a message is about it.",
    faces: ["file"],
  },
  {
    id: "memory.store",
    source: ["000", "001", "surface"],
    behaviour:
      "An agent stores an entry through a tool, with tier and visibility, and cannot write its own core unasked.",
    faces: ["mcp"],
  },
  {
    id: "memory.recall",
    source: ["000", "001", "surface"],
    behaviour: "Recall finds an agent's own entries for a question in plain language.",
    faces: ["mcp"],
  },
  {
    id: "memory.forget",
    source: ["surface", "traps"],
    behaviour: "A forgotten entry is gone from files, index and every later prompt.",
    faces: ["mcp"],
  },
  {
    id: "memory.gate",
    source: ["001", "traps"],
    behaviour: "Entries that are empty, repeated or trivial are not stored, and the agent is told.",
    faces: ["store"],
  },
  {
    id: "memory.provenance",
    source: ["proof", "traps"],
    behaviour: "An entry made from outside text says so, and recall shows where every entry comes from.",
    faces: ["mcp"],
  },
  {
    id: "memory.visibility",
    source: ["001"],
    behaviour:
      "Entries are private unless said otherwise: private ones are seen by their owner only, shareable ones through asking, public ones in documents.",
    faces: ["store"],
  },
  {
    id: "memory.index-derived",
    source: ["001", "product"],
    behaviour: "The search index can be deleted at any time and is rebuilt from the files.",
    faces: ["file"],
  },
  {
    id: "memory.archive",
    source: ["000", "001"],
    behaviour: "Old conversations and unused entries move to the archive and stay searchable.",
    faces: ["file"],
  },
  {
    id: "memory.ask",
    source: ["001", "surface"],
    behaviour:
      "Asking about another agent gives a summary of what that agent shares and never its raw or private entries.",
    faces: ["mcp"],
  },
  {
    id: "memory.ask-audit",
    source: ["001"],
    behaviour: "Every question about another agent's memory is logged with who asked what.",
    faces: ["store"],
  },
  {
    id: "memory.search-cli",
    source: ["surface"],
    behaviour: "A person can search an agent's memory.",
    faces: ["cli"],
  },
  {
    id: "memory.tools-note-todo",
    source: ["000", "surface"],
    behaviour:
      "A persistent agent reads and adds notes and todos through tools; an inline agent has none of these tools.",
    faces: ["mcp"],
  },
  {
    id: "note.add",
    source: ["000"],
    behaviour: "Adding a note writes one Markdown file named by date and a slug of its text.",
    faces: ["file"],
  },
  {
    id: "note.list",
    source: ["000"],
    behaviour: "Notes are listed newest first, up to a limit.",
    faces: ["file"],
  },
  {
    id: "note.same-slug",
    source: ["traps"],
    behaviour: "Two notes of one day with the same slug are both kept, and no slug leaves the folder.",
    faces: ["file"],
  },
  {
    id: "todo.add",
    source: ["000"],
    behaviour: "An added todo is in `todo/index.md` as an open item.",
    faces: ["file"],
  },
  {
    id: "todo.list",
    source: ["000"],
    behaviour: "Listing todos numbers the open ones.",
    faces: ["file"],
  },
  {
    id: "todo.done",
    source: ["000"],
    behaviour: "Finishing a todo by number marks that one, and a number that does not exist is refused.",
    faces: ["file"],
  },
  {
    id: "todo.by-hand",
    source: ["000", "product"],
    behaviour: "Text a person wrote around the items of the todo file survives every change.",
    faces: ["file"],
  },
  {
    id: "conversation.day-file",
    source: ["000"],
    behaviour: "Direct messages of an agent are appended to `conversations/<date>.md`, both sides, in order.",
    faces: ["file"],
  },
  {
    id: "conversation.inline-none",
    source: ["000"],
    behaviour: "Inline and ephemeral agents leave no conversation files.",
    faces: ["file"],
  },
  {
    id: "conversation.set-aside",
    source: ["002", "surface"],
    behaviour: "Clearing conversations sets their files aside and deletes none.",
    faces: ["file"],
  },
  {
    id: "conversation.continues",
    source: ["000"],
    behaviour: "A direct message to an agent continues its earlier conversation, also after a restart.",
    faces: ["store"],
  },
  {
    id: "conversation.clear",
    source: ["002", "surface"],
    behaviour:
      "Clearing an agent's conversation makes its next run start without history and keeps memory, notes and todo.",
    faces: ["cli"],
  },
  {
    id: "guard.assemble",
    source: ["001"],
    behaviour:
      "Context is chosen by relevance within the budget: soul whole, core memory always, todos compact, the rest by rank and shortened when it does not fit.",
    faces: ["engine"],
  },
  {
    id: "guard.receipt",
    source: ["architecture"],
    behaviour: "What was given to a run and what was dropped can be seen afterwards.",
    faces: ["store"],
  },
  {
    id: "guard.pull",
    source: ["004", "product"],
    behaviour: "What did not fit is reachable through tools.",
    faces: ["mcp"],
  },
  {
    id: "guard.no-model",
    source: ["001", "product"],
    behaviour: "Everything the guard decides works without a model call, and a model may only refine it.",
    faces: ["store"],
  },
  {
    id: "guard.injection",
    source: ["proof"],
    behaviour:
      "Text from channels, tools, files or pages that asks to be remembered never becomes core memory, soul or shared knowledge.",
    faces: ["store"],
  },
];
