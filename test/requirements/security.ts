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
    id: "trust.exit",
    source: ["proof", "surface"],
    behaviour: "In a script, work in a project that nobody trusted is refused with exit code 3 and the option to type.",
    faces: ["cli"],
  },
  {
    id: "trust.asks",
    source: ["proof", "surface"],
    behaviour: "On a terminal the first command that acts shows what the project can do and asks once, with one key.",
    faces: ["cli"],
  },
  {
    id: "trust.own",
    source: ["proof", "surface"],
    behaviour: "Projects made by init and demo, and agents made or edited with agent-worker, are not asked about.",
    faces: ["cli"],
  },
  {
    id: "trust.shown",
    source: ["proof", "surface"],
    behaviour: "Consent shows commands, servers, addresses, variables, permissions, setup lines and schedules.",
    faces: ["cli"],
  },
  {
    id: "trust.bound",
    source: ["proof", "surface"],
    behaviour: "Consent is for what was shown: a project that changed meanwhile is not trusted.",
    faces: ["http"],
  },
  {
    id: "trust.widened",
    source: ["proof", "surface"],
    behaviour: "An agent or workflow that can do more than a person allowed rests until the difference was seen.",
    faces: ["cli"],
  },
  {
    id: "trust.free",
    source: ["proof", "surface"],
    behaviour: "Prompts, models, souls, schedules and narrower permissions change without a question.",
    faces: ["cli"],
  },
  {
    id: "trust.store",
    source: ["proof", "surface"],
    behaviour: "A database that this home did not make is shown and not acted on.",
    faces: ["cli"],
  },
];
