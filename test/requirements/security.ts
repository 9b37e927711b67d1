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
    id: "child.environment",
    source: ["proof", "surface"],
    behaviour:
      "No definition sets a variable that makes a child process load code, trust or reach another server, or take its login elsewhere.",
    faces: ["cli", "http"],
  },
  {
    id: "private.files",
    source: ["proof", "surface"],
    behaviour: "An agent reads no key files and no personal context of another agent with its shell or its file tools.",
    faces: ["engine"],
  },
  {
    id: "private.obeyed-files",
    source: ["proof", "surface"],
    behaviour: "An agent writes no file that other programs obey.",
    faces: ["engine"],
  },
  {
    id: "permission.no-other-program",
    source: ["proof", "surface"],
    behaviour: "A pattern that allows a command allows no option of it that starts another program.",
    faces: ["engine"],
  },
];
