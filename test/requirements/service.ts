import type { Requirement } from "./requirement.ts";

/** The daemon and its security, and what stands around the product: web UI, documentation and the shape of the code. */
export const service: readonly Requirement[] = [
  {
    id: "daemon.one",
    source: ["001", "002", "architecture"],
    behaviour: "One daemon serves a home; a second one refuses politely and names the first.",
    faces: ["cli", "http"],
  },
  {
    id: "daemon.port",
    source: ["001", "002", "architecture"],
    behaviour:
      "The daemon listens on 127.0.0.1:5099, on another port when told, and on any free one for port 0 or when another program has 5099.",
    faces: ["http"],
  },
  {
    id: "daemon.discovery-file",
    source: ["001", "002", "architecture"],
    behaviour:
      "`daemon.json` holds pid, host, port, token, start and version, appears in one piece, is mode 0600 and is removed only by its owner.",
    faces: ["file"],
  },
  {
    id: "daemon.stale-discovery",
    source: ["002", "architecture", "proof"],
    behaviour:
      "A stale, damaged or foreign `daemon.json` is never trusted without an authenticated answer, and the token is never sent to a stranger.",
    faces: ["cli"],
  },
  {
    id: "daemon.many-projects",
    source: ["architecture"],
    behaviour: "One daemon hosts many projects, each with its own store, opened at first use and known by real path.",
    faces: ["http"],
  },
  {
    id: "daemon.version-skew",
    source: ["architecture"],
    behaviour: "A CLI of another version than the daemon says so.",
    faces: ["cli"],
  },
  {
    id: "daemon.signals",
    source: ["002"],
    behaviour: "SIGTERM and Ctrl-C end the daemon in order, leaving no child behind.",
    faces: ["cli"],
  },
  {
    id: "daemon.logs",
    source: ["proof", "surface"],
    behaviour: "`daemon logs` shows a log that is bounded in size and holds no secret.",
    faces: ["file", "cli"],
  },
  {
    id: "daemon.bad-config",
    source: ["surface", "traps"],
    behaviour: "A broken file of a project stops neither the daemon nor `doctor`.",
    faces: ["cli"],
  },
  {
    id: "security.token",
    source: ["001", "surface"],
    behaviour: "Every request but the bare health check needs the daemon's random token.",
    faces: ["http", "mcp"],
  },
  {
    id: "security.host-origin",
    source: ["product", "proof"],
    behaviour: "Requests with a foreign Host or Origin are refused before routing, and no CORS header is ever sent.",
    faces: ["http"],
  },
  {
    id: "security.cross-site",
    source: ["proof"],
    behaviour: "Forms, plain-text posts and reads with effects from a web page change nothing.",
    faces: ["http"],
  },
  {
    id: "security.roles",
    source: ["proof"],
    behaviour:
      "Every route answers every kind of token as the written table says, expired and foreign run tokens included.",
    faces: ["http", "mcp"],
  },
  {
    id: "security.run-token",
    source: ["product"],
    behaviour: "A run's token dies with its run and is good for its agent and workspace only.",
    faces: ["mcp"],
  },
  {
    id: "security.token-leak",
    source: ["proof", "traps"],
    behaviour:
      "Tokens are in files of mode 0600 only, never in arguments, logs, addresses or children that need none, and rotation works at once.",
    faces: ["file", "cli"],
  },
  {
    id: "security.config-person-only",
    source: ["traps"],
    behaviour: "Only a person's token changes configuration, and no route sets what is executed later.",
    faces: ["http", "mcp"],
  },
  {
    id: "security.redaction",
    source: ["product", "proof"],
    behaviour: "No secret of the environment, tool output or errors is found in any file that was written.",
    faces: ["store", "file"],
  },
  {
    id: "ui.served",
    source: ["001", "002", "surface"],
    behaviour: "The daemon serves the web UI at `/`, and it works without network access.",
    faces: ["ui"],
  },
  {
    id: "ui.channel-live",
    source: ["001", "002"],
    behaviour: "The UI shows channels live and sends messages.",
    faces: ["ui"],
  },
  {
    id: "ui.agents",
    source: ["002"],
    behaviour: "The UI shows agents with state, current run, soul, memory, notes and todos.",
    faces: ["ui"],
  },
  {
    id: "ui.decisions",
    source: ["surface"],
    behaviour: "Ballots, approvals, dead letters, suggestions and changes of souls can be handled in the UI.",
    faces: ["ui"],
  },
  {
    id: "ui.runs",
    source: ["architecture"],
    behaviour: "The UI shows the steps, tool calls and cost of a run, and what it was given.",
    faces: ["ui"],
  },
  {
    id: "ui.token",
    source: ["traps"],
    behaviour: "The UI never sends its token elsewhere and keeps it out of addresses.",
    faces: ["ui"],
  },
  {
    id: "ui.hostile-text",
    source: ["proof"],
    behaviour: "Text from agents is shown as text and cannot run in the page.",
    faces: ["ui"],
  },
  {
    id: "docs.examples-run",
    source: ["product"],
    behaviour: "Every command and YAML example of the documentation is executed by a test.",
    faces: ["docs"],
  },
  {
    id: "docs.glossary",
    source: ["product"],
    behaviour: "The documentation and the CLI use the words of the glossary and none of those to avoid.",
    faces: ["docs"],
  },
  {
    id: "docs.cli-reference",
    source: ["surface"],
    behaviour: "The reference of commands, routes and tools is generated and up to date.",
    faces: ["docs"],
  },
  {
    id: "docs.migration",
    source: ["000", "003"],
    behaviour: "A guide brings files and behaviourPatterns of the earlier versions to this one.",
    faces: ["docs"],
  },
  {
    id: "docs.package",
    source: ["architecture"],
    behaviour: "The packed package installs into an empty folder, runs the demo and exports the four entry points.",
    faces: ["docs"],
  },
  {
    id: "code.layers",
    source: ["002", "architecture"],
    behaviour: "Modules import only what the table of layers allows, and a planted forbidden import is found.",
    faces: ["domain"],
  },
];
