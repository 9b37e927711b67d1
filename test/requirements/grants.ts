import type { Requirement } from "./requirement.ts";

/** Rights that are given by messages, and spaces that agents open. */
export const grants: readonly Requirement[] = [
  {
    id: "grants.messages",
    source: ["002"],
    behaviour: "A grant is a message in the channel, in order, that wakes nobody unless its reason mentions somebody.",
    faces: ["cli", "store"],
  },
  {
    id: "grants.mid-run",
    source: ["002"],
    behaviour: "`grant` makes a tool appear in the next step of an agent that is working, and `revoke` removes it.",
    faces: ["cli", "engine"],
  },
  {
    id: "grants.wire",
    source: ["002"],
    behaviour: "Over MCP and HTTP the tools and rights of a run follow its grants at once, and the client is told.",
    faces: ["mcp", "http"],
  },
  {
    id: "grants.restart",
    source: ["002"],
    behaviour: "Grants hold after a kill and a restart and with `--continue`; a new instance begins without them.",
    faces: ["cli", "store"],
  },
  {
    id: "grants.hand-on",
    source: ["002"],
    behaviour: "An agent hands on only what it holds with that right, and its receivers lose it together with it.",
    faces: ["cli"],
  },
  {
    id: "grants.deny-wins",
    source: ["002"],
    behaviour: "What a definition denies cannot be granted, and no grant gives a power on the machine.",
    faces: ["cli"],
  },
  {
    id: "grants.deterministic",
    source: ["002"],
    behaviour: "What is held at a message follows from the messages before it.",
    faces: ["domain", "store"],
  },
  {
    id: "spaces.open",
    source: ["002"],
    behaviour: "An agent with the right opens a sub-space with a channel of its own; its members are woken there.",
    faces: ["cli"],
  },
  {
    id: "spaces.members",
    source: ["002"],
    behaviour: "Members write and mention in a sub-space; others of the workspace can read it.",
    faces: ["store"],
  },
  {
    id: "spaces.budget",
    source: ["002"],
    behaviour: "A sub-space goes on in the chain of its opener, with its limits.",
    faces: ["store"],
  },
  {
    id: "spaces.workflow-budget",
    source: ["002"],
    behaviour: "What is used in a sub-space counts for the budget of the workflow.",
    faces: ["cli"],
  },
  {
    id: "spaces.close",
    source: ["002"],
    behaviour: "The opener or a person closes a sub-space, and the outcome is said in the channel of the workspace.",
    faces: ["store"],
  },
  {
    id: "spaces.instances",
    source: ["002"],
    behaviour: "Sub-spaces end with their workspace and stay readable with its earlier instances.",
    faces: ["store"],
  },
  {
    id: "spaces.run",
    source: ["002"],
    behaviour: "A `run` lasts until its sub-spaces have nothing left to do, and says that they exist.",
    faces: ["cli"],
  },
  {
    id: "spaces.restart",
    source: ["002"],
    behaviour: "The work in a sub-space goes on after a kill of the daemon.",
    faces: ["cli"],
  },
  {
    id: "spaces.stop",
    source: ["002"],
    behaviour: "Stopping a workspace stops the work in its sub-spaces.",
    faces: ["cli"],
  },
  {
    id: "spaces.cli",
    source: ["002"],
    behaviour: "A person lists, reads, writes in and closes sub-spaces from the command line.",
    faces: ["cli"],
  },
  {
    id: "grants.useful",
    source: ["surface"],
    behaviour: "A grant that its receiver could never use is refused, with the reason and what works.",
    faces: ["cli"],
  },
  {
    id: "spaces.person",
    source: ["surface"],
    behaviour: "A person opens, lists and closes spaces with a command, as agents do with their tools.",
    faces: ["cli"],
  },
  {
    id: "spaces.run-shows",
    source: ["surface"],
    behaviour: "`run` shows what is said and done in spaces too, marked with their name.",
    faces: ["cli", "http"],
  },
  {
    id: "spaces.earlier",
    source: ["surface"],
    behaviour:
      "The spaces of an earlier instance are listed and read with it, also when the current one has none of that name.",
    faces: ["cli"],
  },
];
