import type { Requirement } from "./requirement.ts";

/** What people do and read on the web page. */
export const page: readonly Requirement[] = [
  {
    id: "ui.one-request",
    source: ["surface"],
    behaviour:
      "One request lists everything that waits for a person in all workspaces; `pending` and the page count the same.",
    faces: ["ui", "cli"],
  },
  {
    id: "ui.channel-cards",
    source: ["surface"],
    behaviour:
      "What waits for a person is a card in the channel where it belongs: a command as a command line, an edit as a diff.",
    faces: ["ui"],
  },
  {
    id: "ui.approve-scope",
    source: ["surface"],
    behaviour:
      "A tool call is approved once, for the run, or always; always adds a rule to the agent's file, shown as a diff first.",
    faces: ["ui", "cli", "file"],
  },
  {
    id: "ui.reading",
    source: ["surface"],
    behaviour: "The page shows Markdown with tables, tasks and code in colours, and never makes markup of it.",
    faces: ["ui"],
  },
  {
    id: "ui.search",
    source: ["surface"],
    behaviour:
      "One search finds a text in messages, documents, runs, agents and workspaces; each request looks at a bounded part.",
    faces: ["ui", "cli"],
  },
  {
    id: "ui.unread",
    source: ["surface"],
    behaviour: "What a person has not read is stored by the daemon, for every browser, and counts mentions apart.",
    faces: ["ui"],
  },
  {
    id: "ui.timeline",
    source: ["surface"],
    behaviour: "Who woke whom is shown with waiting, model and tool time, of a workspace and of a chain of messages.",
    faces: ["ui", "cli"],
  },
  {
    id: "ui.usage-history",
    source: ["surface"],
    behaviour: "Cost and tokens are shown by day, for agents, workspaces and models; the sums agree.",
    faces: ["ui", "cli"],
  },
  {
    id: "ui.ask-again",
    source: ["surface"],
    behaviour:
      "A person asks again from a step of a run with another model or prompt; nothing of it is in the conversation.",
    faces: ["ui", "cli"],
  },
  {
    id: "ui.stream-reload",
    source: ["surface"],
    behaviour: "Whoever connects in the middle of a streamed text gets its beginning first, and nothing twice.",
    faces: ["ui", "http"],
  },
  {
    id: "ui.draft-reload",
    source: ["surface"],
    behaviour: "What a person wrote and did not send survives a reload of the page.",
    faces: ["ui"],
  },
  {
    id: "ui.related",
    source: ["surface"],
    behaviour: "Messages that belong together by their causes are shown together.",
    faces: ["ui"],
  },
  {
    id: "ui.replay",
    source: ["surface"],
    behaviour: "A finished run is replayed step by step, with its prompt as text beside the receipt.",
    faces: ["ui"],
  },
  {
    id: "ui.scale",
    source: ["surface"],
    behaviour:
      "With 100,000 messages, 500 agents and 200 workspaces the page has fewer than 2,000 elements and stays small.",
    faces: ["ui"],
  },
];
