import type { Requirement } from "./requirement.ts";

/** The operations as programs and AI tools meet them: HTTP and MCP. */
export const wire: readonly Requirement[] = [
  {
    id: "http.health",
    source: ["002", "surface"],
    behaviour: "`GET /health` gives pid, uptime and counts with a token, and only the status without one.",
    faces: ["http"],
  },
  {
    id: "http.shutdown",
    source: ["002"],
    behaviour: "`POST /shutdown` stops the daemon after open work is parked.",
    faces: ["http"],
  },
  {
    id: "http.agents",
    source: ["002"],
    behaviour: "Agents are listed, created, shown and deleted at `/agents`.",
    faces: ["http"],
  },
  {
    id: "http.run",
    source: ["002"],
    behaviour:
      "`POST /run` streams chunk, tool_call, tool_result, message, step, error and done events of an agent, a workflow or inline agents.",
    faces: ["http"],
  },
  {
    id: "http.serve",
    source: ["002"],
    behaviour: "`POST /serve` takes the same body and answers content, tool calls and usage at the end.",
    faces: ["http"],
  },
  {
    id: "http.operations",
    source: ["surface"],
    behaviour:
      "Sending, channels, inboxes, deliveries, workflows, documents, resources, ballots, approvals, schedules, dead letters and stats have routes.",
    faces: ["http"],
  },
  {
    id: "http.events",
    source: ["surface"],
    behaviour:
      "`/events` gives a snapshot, then every event, and goes on after `Last-Event-ID` without loss or repeat.",
    faces: ["http"],
  },
  {
    id: "http.events-bounded",
    source: ["surface", "traps"],
    behaviour: "A slow reader of events is dropped with a reason and costs the others nothing.",
    faces: ["http"],
  },
  {
    id: "http.errors",
    source: ["surface"],
    behaviour: "Errors have the written shape and the written status for every refusal code.",
    faces: ["http"],
  },
  {
    id: "http.limits",
    source: ["surface"],
    behaviour: "Bodies above a route's limit are refused with 413 before they are read whole.",
    faces: ["http"],
  },
  {
    id: "http.draining",
    source: ["surface"],
    behaviour: "While starting or stopping the answer is 503 with `Retry-After`.",
    faces: ["http"],
  },
  {
    id: "http.project-header",
    source: ["surface"],
    behaviour: "The project of a request is the one in its header, or the daemon's first.",
    faces: ["http"],
  },
  {
    id: "http.openapi",
    source: ["architecture", "surface"],
    behaviour: "`/openapi.json` describes every route and is generated from the operations.",
    faces: ["http"],
  },
  {
    id: "mcp.one-endpoint",
    source: ["002", "003"],
    behaviour: "One `/mcp` endpoint serves all agents and people, each with its own tools.",
    faces: ["mcp"],
  },
  {
    id: "mcp.identity",
    source: ["002", "003", "product"],
    behaviour:
      "Who calls is decided by the token of the run alone, whatever client name, meta or query parameter says.",
    faces: ["mcp"],
  },
  {
    id: "mcp.channel-tools",
    source: ["001", "002", "003", "004"],
    behaviour: "`channel_send`, `channel_read` and `channel_peek` work as the operations do.",
    faces: ["mcp"],
  },
  {
    id: "mcp.inbox-tools",
    source: ["001", "002", "004", "surface"],
    behaviour: "`my_inbox` and `my_inbox_ack` show and ack the caller's deliveries only.",
    faces: ["mcp"],
  },
  {
    id: "mcp.document-tools",
    source: ["002", "003", "004", "surface"],
    behaviour: "The `team_doc_*` tools work on the documents of the run's workspace.",
    faces: ["mcp"],
  },
  {
    id: "mcp.resource-tools",
    source: ["001", "002", "surface"],
    behaviour: "`resource_create` and `resource_read` work as the operations do.",
    faces: ["mcp"],
  },
  {
    id: "mcp.proposal-tools",
    source: ["001", "002", "004", "surface"],
    behaviour: "The `proposal_*` tools create, vote, show and cancel ballots.",
    faces: ["mcp"],
  },
  {
    id: "mcp.admin-tools",
    source: ["002", "surface"],
    behaviour: "A person's token has the tools for agents, workflows and any workspace, and a run's token has not.",
    faces: ["mcp"],
  },
  {
    id: "mcp.person-whole",
    source: ["surface"],
    behaviour:
      "Over MCP a person has resources, documents, memory, runs and an answer to wait for, as on the command line.",
    faces: ["mcp"],
  },
  {
    id: "mcp.words",
    source: ["surface"],
    behaviour: "What a person's tool answers is text in words, and the same as structured content.",
    faces: ["mcp"],
  },
  {
    id: "http.openapi-components",
    source: ["surface"],
    behaviour: "The OpenAPI document names its components.",
    faces: ["http"],
  },
  {
    id: "http.openapi-refusals",
    source: ["surface"],
    behaviour: "The OpenAPI document lists the refusals of each route.",
    faces: ["http"],
  },
  {
    id: "mcp.mention-push",
    source: ["003", "surface"],
    behaviour: "A client that listens is notified of its mentions, and its inbox can be subscribed to.",
    faces: ["mcp"],
  },
  {
    id: "mcp.structured",
    source: ["surface"],
    behaviour: "Tools answer text and structured content, and errors an agent can act on.",
    faces: ["mcp"],
  },
  {
    id: "mcp.deterministic-list",
    source: ["surface"],
    behaviour: "The list of tools has a fixed order and holds only what the agent may use.",
    faces: ["mcp"],
  },
  {
    id: "mcp.both-eras",
    source: ["surface"],
    behaviour: "Clients of the 2025 protocol versions and of the stateless one are both served.",
    faces: ["mcp"],
  },
  {
    id: "mcp.stdio",
    source: ["003", "surface"],
    behaviour: "`agent-worker mcp` bridges standard input and output to the daemon.",
    faces: ["cli", "mcp"],
  },
  {
    id: "mcp.real-clients",
    source: ["surface"],
    behaviour: "The official inspector, conformance suite and the supported command lines connect and call tools.",
    faces: ["mcp"],
  },
  {
    id: "mcp.no-crossing",
    source: ["proof", "traps"],
    behaviour: "Answers never cross between clients, however their request ids collide.",
    faces: ["mcp"],
  },
  {
    id: "mcp.same-operations",
    source: ["001", "002", "product"],
    behaviour: "One operation called through CLI, HTTP and MCP has one schema and one effect.",
    faces: ["cli", "http", "mcp"],
  },
];
