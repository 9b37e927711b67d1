import type { Requirement } from "./requirement.ts";

/** What holds when somebody tries to harm the person who uses agent-worker. */
export const security: readonly Requirement[] = [
  {
    id: "trust.rests",
    source: ["proof", "surface"],
    behaviour: "A project that nobody trusted runs nothing, connects to nothing and reads no variable.",
    faces: ["cli"],
  },
  {
    id: "provenance.todos",
    source: ["proof", "surface"],
    behaviour: "A todo that an agent adds after reading untrusted content is marked in its file, in prompts and in lists; edits keep the mark.",
    faces: ["file", "cli", "engine"],
  },
  {
    id: "provenance.notes",
    source: ["proof", "surface"],
    behaviour: "A note says in its file who wrote it and after reading what; a note that does not say it is untrusted content.",
    faces: ["file", "cli", "engine"],
  },
  {
    id: "provenance.forget",
    source: ["proof", "surface"],
    behaviour: "Forgetting or repeating a memory shows an agent no untrusted content that it has not read.",
    faces: ["engine"],
  },
  {
    id: "provenance.kickoff",
    source: ["proof", "surface"],
    behaviour: "A kickoff that quotes the output of commands or the environment is untrusted content.",
    faces: ["cli", "engine"],
  },
  {
    id: "provenance.rules",
    source: ["proof", "surface"],
    behaviour: "A message of a rule that quotes an event is untrusted content, also when a person wrote the rule.",
    faces: ["cli", "engine"],
  },
  {
    id: "provenance.recall",
    source: ["proof", "surface"],
    behaviour: "Recalling untrusted content marks the run; so does recalling what the agent said after reading it.",
    faces: ["engine"],
  },
  {
    id: "provenance.person",
    source: ["proof", "surface"],
    behaviour: "What an agent stores after hearing only its person can be shared: kickoffs, parameters, recall, own notes and todos.",
    faces: ["cli", "engine"],
  },
  {
    id: "text.sections",
    source: ["proof", "surface"],
    behaviour: "No text opens or closes a section of a prompt, however its tag is spelled or hidden.",
    faces: ["engine"],
  },
  {
    id: "text.channel-file",
    source: ["proof", "surface"],
    behaviour: "No message looks like the heading of another message in the channel file.",
    faces: ["file"],
  },
  {
    id: "text.tool-names",
    source: ["proof", "surface"],
    behaviour: "A tool of an agent's MCP server that can be confused with one of the daemon is left out, and at most 200 tools of a server are used.",
    faces: ["engine"],
  },
];
