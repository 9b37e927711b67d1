import type { Requirement } from "./requirement.ts";

/** What holds when somebody tries to harm the person who uses agent-worker. */
export const security: readonly Requirement[] = [
  {
    id: "trust.rests",
    source: ["proof", "surface"],
    behaviour: "A project that nobody trusted runs nothing, connects to nothing and reads no variable.",
    faces: ["cli"],
  },
];
