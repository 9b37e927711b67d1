const CLAUDE_SETTINGS = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".claude/agents",
  ".claude/commands",
  ".claude/hooks",
  ".claude/skills",
];
const CODEX_SETTINGS = [".codex"];
const CURSOR_SETTINGS = [".cursor"];
const OTHER_SETTINGS = [".mcp.json", ".gemini", ".qwen", ".goose", ".config/goose"];
const OPENCODE_SETTINGS = ["opencode.json", "opencode.jsonc", ".opencode"];

/**
 * Every engine an agent can name as its `backend`. This is the one list: the YAML schemas, `backends`, `init`, help and
 * the daemon derive from it. A new engine is one row here and one folder in `engines/`, with an `engine.ts` that exports
 * `engine` (see `engines/load-engine.ts`).
 *
 * - `api` calls a model, which its agent must name; it has no tools of its own.
 * - `program` is a command line with its own default model and its own tools. Its folder is in `engines/cli/`.
 * - `protocol` is any program with tools of its own; its agent names the `command` to start.
 * - `script` plays a file and has no model.
 */
const ENGINES = [
  { name: "sdk", kind: "api", showsImages: true },
  { name: "claude", kind: "program", projectSettings: CLAUDE_SETTINGS, reportsCost: true, showsImages: true },
  { name: "codex", kind: "program", projectSettings: CODEX_SETTINGS },
  { name: "cursor", kind: "program", projectSettings: CURSOR_SETTINGS, isUntested: true },
  { name: "opencode", kind: "program", projectSettings: OPENCODE_SETTINGS, reportsCost: true },
  {
    name: "acp",
    kind: "protocol",
    projectSettings: [
      ...CLAUDE_SETTINGS,
      ...CODEX_SETTINGS,
      ...CURSOR_SETTINGS,
      ...OPENCODE_SETTINGS,
      ...OTHER_SETTINGS,
    ],
  },
  { name: "mock", kind: "script", reportsCost: true },
] as const satisfies readonly EngineRow[];

interface EngineRow {
  readonly name: string;
  readonly kind: EngineKind;
  /** Files and folders of a project in which the program finds settings, which may be commands to run. */
  readonly projectSettings?: readonly string[];
  /** It says what each step cost. */
  readonly reportsCost?: true;
  /** It gives its model the images of messages. */
  readonly showsImages?: true;
  /** Written from the program's documentation; no test runs the real program. Listed after the others of its kind. */
  readonly isUntested?: true;
}

type EngineKind = "api" | "program" | "protocol" | "script";
export type EngineName = (typeof ENGINES)[number]["name"];

export const ENGINE_NAMES = ENGINES.map(({ name }) => name);

/** For an agent whose definition names no engine. */
export const DEFAULT_ENGINE: EngineName = "sdk";

/** Engines that an agent can name without naming a program to start. */
export const COMMANDLESS_ENGINES = ENGINE_NAMES.filter((name) => engineKind(name) !== "protocol");

/** In the order in which `backends` lists them. */
export const OFFERED_ENGINES = (["api", "program", "protocol", "script"] as const).flatMap(ofKind);

/** Engines of the example that `init` makes, the preferred first: a program with a login before a key. */
export const EXAMPLE_ENGINES = (["program", "api", "script"] as const).flatMap(ofKind);

export function engineKind(name: EngineName): EngineKind {
  return ENGINES.find((row) => row.name === name)?.kind ?? "program";
}

export function reportsCost(name: EngineName): boolean {
  const row: EngineRow | undefined = ENGINES.find((each) => each.name === name);
  return row?.reportsCost === true;
}

export function showsImages(name: EngineName = DEFAULT_ENGINE): boolean {
  const row: EngineRow | undefined = ENGINES.find((each) => each.name === name);
  return row?.showsImages === true;
}

/** Files and folders of a project from which the program of an engine takes settings. */
export function projectSettingsOf(name: EngineName): readonly string[] {
  const row: EngineRow | undefined = ENGINES.find((each) => each.name === name);
  return row?.projectSettings ?? [];
}

/** True when the engine cannot start because its agent names no model. "auto" is a model: the first with a key. */
export function lacksModel({ backend, model }: { readonly backend?: EngineName; readonly model?: string }): boolean {
  return engineKind(backend ?? DEFAULT_ENGINE) === "api" && (model ?? "").trim() === "";
}

function ofKind(kind: EngineKind): EngineName[] {
  const rows: readonly (EngineRow & { readonly name: EngineName })[] = ENGINES.filter((row) => row.kind === kind);
  return rows.toSorted((a, b) => Number(a.isUntested === true) - Number(b.isUntested === true)).map(({ name }) => name);
}
