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
    id: "grants.one-list",
    source: ["proof", "surface"],
    behaviour:
      "The token of a run may do over HTTP exactly what the tools of the run allow over MCP, and so may its resources and its rules.",
    faces: ["http", "mcp", "cli"],
  },
  {
    id: "grants.deny",
    source: ["proof", "surface"],
    behaviour:
      "A tool that permissions deny is not offered and cannot be called, whoever offers it and on every engine.",
    faces: ["http", "mcp", "engine"],
  },
  {
    id: "grants.tools",
    source: ["proof", "surface"],
    behaviour:
      "`tools` is the whole list of an agent's tools of the team, besides its inbox and silence, also in a workflow's override.",
    faces: ["http", "mcp", "engine"],
  },
  {
    id: "grants.ask",
    source: ["proof", "surface"],
    behaviour:
      "A call of a team's tool that permissions say to ask about is made after a person approved it, and not before.",
    faces: ["engine"],
  },
  {
    id: "grants.names",
    source: ["proof", "surface"],
    behaviour:
      "A name under `tools` or `permissions` that means no tool is an error of `check`, with its place and what may be meant.",
    faces: ["cli"],
  },
  {
    id: "quota.stops",
    source: ["proof", "surface"],
    behaviour:
      "A run that makes messages, documents, ballots, notes, other changes or bytes without end is refused, clearly, and loses nothing.",
    faces: ["http", "engine"],
  },
  {
    id: "quota.one-count",
    source: ["proof", "surface"],
    behaviour: "What a run does over HTTP, MCP and the command counts together.",
    faces: ["http", "mcp", "cli"],
  },
  {
    id: "quota.others",
    source: ["proof", "surface"],
    behaviour: "A run that used up its quota limits neither other agents nor the person.",
    faces: ["http"],
  },
  {
    id: "quota.reply",
    source: ["proof", "surface"],
    behaviour: "A run that used up its quota still answers.",
    faces: ["http"],
  },
];
