import type { Requirement } from "./requirement.ts";

export const nodes: readonly Requirement[] = [
  {
    id: "node.lease",
    source: ["architecture"],
    behaviour:
      "A node that beats keeps its runs; after its lease another node takes them over, and a late result counts nothing.",
    faces: ["store"],
  },
  {
    id: "node.leave",
    source: ["architecture"],
    behaviour: "What a node leaves that stopped or was replaced is taken over at once.",
    faces: ["store"],
  },
  {
    id: "node.name",
    source: ["architecture"],
    behaviour: "A second node of the same name is refused while the first is there.",
    faces: ["store"],
  },
  {
    id: "node.list",
    source: ["architecture"],
    behaviour: "The nodes are listed with what they run, and each agent with the node that runs it.",
    faces: ["http"],
  },
  {
    id: "node.placement",
    source: ["architecture"],
    behaviour: "An agent runs only on nodes that runs_on and its engine allow, and waits visibly while there is none.",
    faces: ["store"],
  },
  {
    id: "context.store",
    source: ["architecture"],
    behaviour:
      "Nodes that share a store share personal contexts and documents: what an agent remembers on one is in its prompts on another.",
    faces: ["cli", "store"],
  },
  {
    id: "context.transfer",
    source: ["architecture"],
    behaviour:
      "context export and import move personal contexts and documents between the store and files without a loss, and replace nothing unasked.",
    faces: ["cli"],
  },
  {
    id: "node.definitions",
    source: ["architecture"],
    behaviour:
      "A node whose files define an agent otherwise, or not at all, does not run it, and the difference is shown.",
    faces: ["store"],
  },
  {
    id: "node.worktree",
    source: ["architecture"],
    behaviour: "An agent with a worktree stays on the node that has it.",
    faces: ["store"],
  },
  {
    id: "node.runs-on",
    source: ["architecture"],
    behaviour: "runs_on is checked where it is written, with the position and what was meant.",
    faces: ["file"],
  },
  {
    id: "cli.nodes",
    source: ["architecture"],
    behaviour:
      "daemon start --node, --label and --capacity say which node a daemon is; send, run, ls, inbox, status and doctor say who waits for a node.",
    faces: ["cli"],
  },
  {
    id: "daemon.host",
    source: ["architecture"],
    behaviour: "A daemon that listens on more than loopback needs TLS or a stated reverse proxy.",
    faces: ["cli"],
  },
  {
    id: "http.tls",
    source: ["architecture"],
    behaviour: "With a certificate one port takes TLS from everybody, and plain HTTP from its own machine alone.",
    faces: ["http"],
  },
  {
    id: "node.stop",
    source: ["architecture"],
    behaviour: "Stopping an agent, or closing a workspace, ends its runs on whichever node executes them.",
    faces: ["cli"],
  },
  {
    id: "node.capacity",
    source: ["architecture"],
    behaviour: "A node executes no more runs at once than its capacity, and goes on with the next when one ends.",
    faces: ["cli"],
  },
  {
    id: "node.kills",
    source: ["architecture"],
    behaviour:
      "Whatever nodes and servers are killed, every accepted message is answered once, a run is on one node at a time, and no finished step is repeated.",
    faces: ["store"],
  },
  {
    id: "node.cut",
    source: ["architecture"],
    behaviour:
      "A node that is cut off loses its runs to others, says so in its log and in status, and joins again by itself.",
    faces: ["cli"],
  },
  {
    id: "node.vanished",
    source: ["architecture"],
    behaviour: "A node whose process has ended is replaced at once: the others need not wait for its lease to end.",
    faces: ["cli"],
  },
  {
    id: "node.hints",
    source: ["architecture"],
    behaviour:
      "A hint between nodes that never arrives costs only time: every message is answered once, and every event is streamed.",
    faces: ["store"],
  },
  {
    id: "docs.cluster-files",
    source: ["architecture"],
    behaviour: "The unit of systemd and the compose file of the example are valid, and the command of the unit works.",
    faces: ["cli"],
  },
  {
    id: "node.upgrade",
    source: ["architecture"],
    behaviour:
      "Nodes are upgraded one after the other: after a migration old nodes go on, and one that is restarted is refused with both versions.",
    faces: ["cli"],
  },
  {
    id: "store.failover",
    source: ["architecture"],
    behaviour:
      "With several hosts in the URL daemons go on with the server that was promoted, and join when there is one.",
    faces: ["cli"],
  },
  {
    id: "store.tls",
    source: ["architecture"],
    behaviour:
      "sslmode means what it means for every client of PostgreSQL; what is refused says what to do and no password.",
    faces: ["cli"],
  },
  {
    id: "store.doctor",
    source: ["architecture"],
    behaviour: "doctor says what is wrong with the server: settings, connections, round trip, locks, dead rows.",
    faces: ["cli"],
  },
  {
    id: "store.backup-server",
    source: ["architecture"],
    behaviour: "A dump of the schema, taken while daemons work, is restored into an empty database.",
    faces: ["cli"],
  },
];
