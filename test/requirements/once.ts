import type { Requirement } from "./requirement.ts";

/** What happens once although it was tried more often, and what the daemon says about itself. */
export const once: readonly Requirement[] = [
  {
    id: "once.effects",
    source: ["proof"],
    behaviour:
      "A step that was cut off and is made again repeats no effect of a team tool, and every call gets the answer of the first time.",
    faces: ["engine", "file", "store"],
  },
  {
    id: "once.blame",
    source: ["proof"],
    behaviour: "A run that takes the daemon down again and again is the only one that is given up.",
    faces: ["engine"],
  },
  {
    id: "once.scarcity",
    source: ["proof"],
    behaviour:
      "When descriptors or memory run out, loading is tried again, a run waits without using an attempt, and no message is lost.",
    faces: ["engine"],
  },
  {
    id: "once.build",
    source: ["surface"],
    behaviour:
      "A version has the hash of its build; a command of another build than the daemon says so, and daemon restart mends it and keeps the work.",
    faces: ["cli"],
  },
  {
    id: "once.large-kickoff",
    source: ["proof"],
    behaviour: "A kickoff of 20 MB is watched to its end, and others are answered meanwhile.",
    faces: ["cli"],
  },
  {
    id: "once.limits",
    source: ["surface"],
    behaviour: "A message that is too long is refused with the limit and with the way to send it.",
    faces: ["cli"],
  },
  {
    id: "once.bytes",
    source: ["surface"],
    behaviour: "A file that is sent comes back with the same bytes, and input that is no text is refused, not changed.",
    faces: ["cli"],
  },
  {
    id: "once.cut",
    source: ["proof"],
    behaviour:
      "An answer that the model could not finish or the provider withheld is marked, and its run is incomplete.",
    faces: ["engine", "cli"],
  },
  {
    id: "once.virtual-write",
    source: ["surface"],
    behaviour: "write_file of the virtual shell says that the file is kept for this run only.",
    faces: ["engine"],
  },
];
