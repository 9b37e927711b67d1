import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EngineName } from "../../domain/agent/definition.ts";
import { modeline } from "../definitions/schema/json-schema.ts";
import { AGENTS_FOLDER, WORKFLOWS_FOLDER } from "./find-project.ts";

/** The teams that `init` can make: folders of `templates/`, besides the empty one. */
export interface TeamTemplate {
  readonly name: TeamKind;
  /** For a person who chooses. */
  readonly about: string;
  /** Its workflow, and the agent to talk to; null for the empty one. */
  readonly workflow: string | null;
  readonly agent: string | null;
}

export const TEAM_NAMES = ["hello", "review", "docs", "triage", "pair", "empty"] as const;
export type TeamKind = (typeof TEAM_NAMES)[number];

export const TEAM_TEMPLATES: readonly TeamTemplate[] = [
  {
    name: "review",
    about: "reviews what you changed, and corrects it when you ask",
    workflow: "review",
    agent: "reviewer",
  },
  { name: "pair", about: "one agent works on a task, another reads along", workflow: "pair", agent: "driver" },
  { name: "docs", about: "keeps the documentation true", workflow: "docs", agent: "writer" },
  { name: "triage", about: "sorts open issues", workflow: "triage", agent: "sorter" },
  { name: "hello", about: "two agents that write two lines, to see how it works", workflow: "hello", agent: "alice" },
  { name: "empty", about: "no agents yet", workflow: null, agent: null },
];

export function teamTemplate(name: TeamKind): TeamTemplate {
  const found = TEAM_TEMPLATES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no template for ${name}`);
  return found;
}

/** What the agents of a new team run on. */
export interface TeamEngine {
  readonly engine: EngineName;
  /** For the model API. */
  readonly model?: string;
  /** Of a server that speaks chat completions. */
  readonly baseUrl?: string;
}

/** In the package and in a clone alike. */
const TEMPLATES = fileURLToPath(new URL("../../../templates", import.meta.url));
const PLACEHOLDER = /^( *)backend: mock$/gm;
const WORKTREE = /^# (?=worktree: true\b)/gm;

/** What a new team is made for. */
export interface TeamPlace {
  readonly engine: TeamEngine;
  /** The project is in a git repository: agents that write get the branch of their own that their file proposes. */
  readonly worktrees: boolean;
}

/** Returns the files of a team: the folder, the name in it, and the text with the lines for this place. */
export function teamFiles(
  team: TeamKind,
  { engine, worktrees }: TeamPlace,
): readonly (readonly [string, string, string])[] {
  if (team === "empty") return [];
  return ([AGENTS_FOLDER, WORKFLOWS_FOLDER] as const).flatMap((folder) => {
    const kind = folder === AGENTS_FOLDER ? "agent" : "workflow";
    return readdirSync(join(TEMPLATES, team, folder)).map((name) => {
      const text = readFileSync(join(TEMPLATES, team, folder, name), "utf8");
      const lines = (_: string, indent: string): string =>
        engineLines(engine)
          .map((line) => `${indent}${line}`)
          .join("\n");
      const filled = text.replace(PLACEHOLDER, lines);
      return [folder, name, `${modeline(kind)}\n${worktrees ? filled.replace(WORKTREE, "") : filled}`] as const;
    });
  });
}

/** Returns a project file whose agents run on the engine. */
export function projectFileText(engine: TeamEngine): string {
  return `# What every agent has that names nothing else.\ndefaults:\n${engineLines(engine)
    .map((line) => `  ${line}\n`)
    .join("")}`;
}

/** The model API needs a model: `auto` is the first model whose key is known. */
function engineLines({ engine, model, baseUrl }: TeamEngine): readonly string[] {
  if (engine !== "sdk") return [`backend: ${engine}`, ...(model === undefined ? [] : [`model: ${yamlText(model)}`])];
  if (baseUrl === undefined) return [`model: ${yamlText(model ?? "auto")}`];
  const provider = `provider: { name: openai-compatible, base_url: ${JSON.stringify(baseUrl)} }`;
  return [`model: ${yamlText(model ?? "auto")}`, provider];
}

/** Names of models may have characters that mean something in YAML. */
function yamlText(text: string): string {
  return /^[A-Za-z0-9][\w./-]*$/.test(text) ? text : JSON.stringify(text);
}
