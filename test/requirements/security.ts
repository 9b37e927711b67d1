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
    id: "ui.project-switch",
    source: ["proof", "surface"],
    behaviour: "The page never shows or sends anything of one project under another: messages, drafts, late answers.",
    faces: ["ui"],
  },
  {
    id: "ui.decision-clicks",
    source: ["proof", "surface"],
    behaviour: "A click on a decision never decides another one than the person saw under the pointer.",
    faces: ["ui"],
  },
];
