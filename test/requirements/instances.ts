import type { Requirement } from "./requirement.ts";

/** What is there when a workspace is started again, and what its keys in the workflow file do. */
export const instances: readonly Requirement[] = [
  {
    id: "instances.empty",
    source: ["000", "surface"],
    behaviour:
      "A workspace without `bind` begins each start with an empty channel, no documents, ballots, suggestions or rules, and a fresh conversation of the engine.",
    faces: ["cli", "store"],
  },
  {
    id: "instances.earlier",
    source: ["surface"],
    behaviour: "`peek`, `doc list`, `doc read` and `export` show an earlier instance with `--earlier N`.",
    faces: ["cli"],
  },
  {
    id: "instances.continue",
    source: ["surface"],
    behaviour: "`run --continue` and `start --continue` go on in the last instance.",
    faces: ["cli"],
  },
  {
    id: "instances.memory",
    source: ["surface"],
    behaviour: "A workspace in memory begins anew and keeps its last instances readable as one on disk does.",
    faces: ["cli"],
  },
  {
    id: "instances.bound",
    source: ["000"],
    behaviour: "A workspace with `bind` or `dir` goes on with what is there.",
    faces: ["cli", "file"],
  },
  {
    id: "instances.read-only",
    source: ["surface"],
    behaviour: "An earlier instance takes no message and no document.",
    faces: ["cli"],
  },
  {
    id: "instances.settled",
    source: ["surface"],
    behaviour:
      "Nothing that waited in an instance is run in the next: it is dropped, and a notice in its channel says so.",
    faces: ["store"],
  },
  {
    id: "instances.interrupted",
    source: ["surface"],
    behaviour: "A step of a closed instance that is still running is broken off before the next one begins.",
    faces: ["store", "cli"],
  },
  {
    id: "instances.dead-letters",
    source: ["surface"],
    behaviour: "A dead letter of an earlier instance is not retried, and the refusal says why.",
    faces: ["store"],
  },
  {
    id: "instances.agents",
    source: ["surface"],
    behaviour: "An agent reads the instance it runs in and no earlier one.",
    faces: ["store"],
  },
  {
    id: "instances.folder",
    source: ["surface"],
    behaviour: "Each instance without `bind` has a folder of its own, which holds no documents when it begins.",
    faces: ["file"],
  },
  {
    id: "instances.restart",
    source: ["surface"],
    behaviour: "A restart of the daemon goes on in the open instance.",
    faces: ["cli"],
  },
  {
    id: "context.new",
    source: ["003"],
    behaviour:
      "`new NAME --context` makes an agent with a channel and documents, `--instance` chooses the tag, and a message without a target reaches it there.",
    faces: ["cli"],
  },
  {
    id: "context.channel-file",
    source: ["003", "surface"],
    behaviour: "A channel whose file is named is written to that file with every provider.",
    faces: ["file"],
  },
  {
    id: "context.channel-place",
    source: ["003"],
    behaviour: "`${{ context.channel }}` names a file that is there.",
    faces: ["file"],
  },
  {
    id: "context.refused",
    source: ["surface"],
    behaviour: "Keys of a workspace that could do nothing are refused by `check`, with the reason.",
    faces: ["cli"],
  },
];
