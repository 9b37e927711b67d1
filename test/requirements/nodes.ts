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
      "daemon start --node, --label and --capacity say which node a daemon is; ls, inbox, status and doctor say who waits for a node.",
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
];
