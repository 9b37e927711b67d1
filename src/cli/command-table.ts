import type { Command } from "./command.ts";

/**
 * The commands, by name. A row is all that `--help` needs; the module behind it is loaded only when it runs, so that a
 * short command does not pay for the others.
 */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export const commandTable: readonly CommandEntry[] = [
  {
    name: "demo",
    summary: "Watch a small team work, with no key and nothing to install",
    load: async () => (await import("./commands/demo.ts")).demo,
  },
  {
    name: "run",
    summary: "Run a workflow until nothing is left to do",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "start",
    summary: "Keep a workflow running, or go on with what is open",
    load: async () => (await import("./commands/start.ts")).start,
  },
  {
    name: "check",
    summary: "Check the agents and workflows of a project",
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    name: "schema",
    summary: "Print the JSON Schema of a definition file",
    load: async () => (await import("./commands/schema.ts")).schema,
  },
  {
    name: "skill",
    summary: "Add a skill from a folder or a git source, or list the skills",
    load: async () => (await import("./commands/skill.ts")).skill,
  },
  {
    name: "call",
    summary: "Call any operation of a project by name, with JSON",
    load: async () => (await import("./commands/call.ts")).call,
  },
];
