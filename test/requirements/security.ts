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
    id: "terminal.text",
    source: ["proof", "surface"],
    behaviour:
      "No text of a provider, an agent or a file controls the terminal: control characters are shown, not obeyed.",
    faces: ["cli"],
  },
  {
    id: "terminal.json",
    source: ["proof", "surface"],
    behaviour: "JSON on standard output holds no C1, bidi or line separator character, and parses to the same value.",
    faces: ["cli"],
  },
  {
    id: "terminal.pipe",
    source: ["proof", "surface"],
    behaviour: "`export` and `resource show` give a file or a pipe the text as it is.",
    faces: ["cli"],
  },
  {
    id: "redaction.shapes",
    source: ["proof", "surface"],
    behaviour: "Keys of well-known services, private keys and named secrets are removed before a message is stored.",
    faces: ["cli"],
  },
  {
    id: "redaction.environment",
    source: ["proof", "surface"],
    behaviour: "Values of variables with a secret's name are removed from six characters on.",
    faces: ["cli"],
  },
  {
    id: "redaction.harmless",
    source: ["proof", "surface"],
    behaviour: "References, placeholders, paths, hashes and UUIDs are stored as they were sent.",
    faces: ["cli"],
  },
  {
    id: "redaction.time",
    source: ["proof", "surface"],
    behaviour: "Redaction takes linear time for every text.",
    faces: ["cli"],
  },
];
