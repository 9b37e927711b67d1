import type {
  Budget,
  McpServer,
  MemorySettings,
  Permissions,
  ProviderChoice,
  RuntimeSettings,
  ScheduleSpec,
  SilenceLimits,
} from "../../../domain/agent/definition.ts";
import { mockScriptPath } from "../../../domain/agent/mock-script.ts";
import { AUTO_MODEL, parseModel, type EmbeddingChoice } from "../../../domain/agent/model.ts";
import { checkModel, nameModel } from "../../../domain/agent/named-model.ts";
import { parsePattern } from "../../../domain/agent/permission.ts";
import { findProvider } from "../../../domain/agent/providers.ts";
import { checkVariable, referenceIn } from "../../../domain/agent/variable-names.ts";
import { parseTarget } from "../../../domain/message/target.ts";
import { parseDuration } from "../../../domain/schedule/duration.ts";
import { parseWakeup } from "../../../domain/schedule/schedule.ts";
import { isNodeName } from "../../../domain/node/node.ts";
import type { RunsOn } from "../../../domain/node/runs-on.ts";
import { checkBranchName, type WorktreeChoice } from "../../../domain/worktree/worktree.ts";
import { projectPath } from "../../project-path.ts";
import { quoted } from "../../yaml/excerpt.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import type { BudgetFile, MemoryFile, ModelFile, RuntimeFile, TimeoutsFile } from "../schema/runtime-schema.ts";
import { defined } from "./defined.ts";

/** Converts the settings that all kinds of agents share. Reports values that cannot be used and leaves them out. */
export function normaliseRuntime(file: RuntimeFile, path: YamlPath, report: Report): RuntimeSettings {
  if (file.backend === "acp" && file.command === undefined) {
    report.error([...path, "backend"], "The acp engine needs a command.", {
      hint: "Add command: [program, argument].",
    });
  }
  if (file.command !== undefined && file.backend !== "acp") {
    report.error([...path, "command"], `"command" is for the acp engine only.`, {
      part: "key",
      hint: "Add backend: acp.",
    });
  }
  return defined({
    ...normaliseModel(file, path, report),
    schedule: file.schedule && normaliseSchedule(file.schedule, [...path, "schedule"], report),
    tools: typeof file.tools === "string" ? [file.tools] : file.tools,
    mcpServers: file.mcp_servers && normaliseMcpServers(file.mcp_servers, [...path, "mcp_servers"], report),
    cwd: file.cwd === undefined ? undefined : insideProject(file.cwd, [...path, "cwd"], report),
    worktree: normaliseWorktree(file.worktree, "agent", [...path, "worktree"], report),
    runsOn: file.runs_on && normaliseRunsOn(file.runs_on, [...path, "runs_on"], report),
    command: file.command,
  });
}

function normaliseRunsOn(file: NonNullable<RuntimeFile["runs_on"]>, path: YamlPath, report: Report): RunsOn {
  const labels = typeof file.labels === "string" ? [file.labels] : file.labels;
  const written: [name: string, at: YamlPath][] = [
    ...(file.node === undefined ? [] : [[file.node, [...path, "node"]] as [string, YamlPath]]),
    ...(labels ?? []).map((label, index): [string, YamlPath] => [
      label,
      typeof file.labels === "string" ? [...path, "labels"] : [...path, "labels", index],
    ]),
  ];
  for (const [name, at] of written) {
    if (isNodeName(name)) continue;
    report.error(at, `"${name}" is no name for a node or a label.`, {
      hint: "Use letters, digits, dots, - and _, as in: agent-worker daemon start --node NAME --label A,B",
    });
  }
  return defined({ node: file.node, labels, engine: file.engine });
}

export function normaliseWorktree(
  written: RuntimeFile["worktree"],
  of: "agent" | "workspace",
  path: YamlPath,
  report: Report,
): WorktreeChoice | undefined {
  if (written === undefined || written === false) return written;
  if (written === true) return { of };
  const branch = checkBranchName(written);
  if (branch.ok) return { of, branch: branch.value };
  report.refused(path, branch.error);
  return undefined;
}

/** Converts the settings that a project may also set for all its agents. */
export function normaliseModel(file: ModelFile, path: YamlPath, report: Report) {
  const models = normaliseModels(file, path, report);
  return defined({
    ...models,
    backend: file.backend,
    provider: file.provider === undefined ? undefined : normaliseProvider(file.provider, [...path, "provider"], report),
    maxTokens: file.max_tokens,
    maxSteps: file.max_steps,
    timeoutMs: duration(file.timeout, [...path, "timeout"], report),
    timeouts: file.timeouts && normaliseTimeouts(file.timeouts, [...path, "timeouts"], report),
    permissions: file.permissions && normalisePermissions(file.permissions, [...path, "permissions"], report),
    budget: file.budget && normaliseBudget(file.budget, [...path, "budget"], report),
    env: file.env && normaliseEnv(file.env, [...path, "env"], report),
  });
}

function normaliseModels({ model: written, backend }: ModelFile, path: YamlPath, report: Report) {
  const isList = Array.isArray(written);
  const models = isList ? written : written === undefined ? [] : [written];
  const [model, ...fallbackModels] = models;
  for (const [index, each] of models.entries()) {
    const at = [...path, "model", ...(isList ? [index] : [])];
    const script = mockScriptPath({ backend, model: each });
    const parsed = script === null ? parseModel(each) : undefined;
    if (script !== null) insideProject(script, at, report);
    else if (parsed?.ok === false) report.refused(at, parsed.error);
  }
  return { model, fallbackModels: fallbackModels.length === 0 ? undefined : fallbackModels };
}

/** Reports a model or a provider that the engine cannot serve. `settings` are those of the file, with its defaults. */
export function checkModelName(file: ModelFile, settings: RuntimeSettings, path: YamlPath, report: Report): void {
  const known = checkModel(settings);
  // A text that is no model at all is reported where it is read.
  if (known.ok || (settings.model !== undefined && !parseModel(settings.model).ok)) return;
  const ofProvider = file.provider !== undefined && (file.model === undefined || !hasProvider(file.provider));
  report.refused([...path, ofProvider ? "provider" : "model"], known.error);
}

function hasProvider(provider: NonNullable<ModelFile["provider"]>): boolean {
  return findProvider(typeof provider === "string" ? provider : provider.name) !== undefined;
}

function normalisePermissions(
  file: NonNullable<ModelFile["permissions"]>,
  path: YamlPath,
  report: Report,
): Permissions {
  for (const list of ["allow", "ask", "deny"] as const) {
    for (const [index, text] of (file[list] ?? []).entries()) {
      const pattern = parsePattern(text);
      if (!pattern.ok) report.refused([...path, list, index], pattern.error);
    }
  }
  return defined(file);
}

export function normaliseBudget(file: BudgetFile, path: YamlPath, report: Report): Budget {
  return defined({
    tokens: file.tokens,
    turns: file.turns,
    hops: file.hops,
    costUsd: file.cost_usd,
    wallTimeMs: duration(file.wall_time, [...path, "wall_time"], report),
  });
}

function normaliseTimeouts(file: TimeoutsFile, path: YamlPath, report: Report): SilenceLimits {
  return defined({
    connectMs: duration(file.connect, [...path, "connect"], report),
    firstByteMs: duration(file.first_byte, [...path, "first_byte"], report),
    betweenMs: duration(file.between, [...path, "between"], report),
    stepMs: duration(file.step, [...path, "step"], report),
  });
}

export function normaliseMemory(file: MemoryFile, path: YamlPath, report: Report): MemorySettings {
  const { budget, auto_load: autoLoad, search, archive } = file;
  const at = [...path, "embedding"];
  const embedding = file.embedding === undefined ? undefined : normaliseEmbedding(file.embedding, at, report);
  return defined({ budget, autoLoad, search, archive, embedding });
}

function normaliseEmbedding(file: NonNullable<MemoryFile["embedding"]>, path: YamlPath, report: Report) {
  const { model, provider } = typeof file === "string" ? { model: file } : file;
  const choice: EmbeddingChoice = defined({
    model,
    provider: provider === undefined ? undefined : normaliseProvider(provider, [...path, "provider"], report),
  });
  const at = typeof file === "string" ? path : [...path, "model"];
  // Without a provider of its own it may be that of the agent, whose address is not known here.
  const parsed = parseModel(model);
  const isKnown = parsed.ok && parsed.value.provider !== undefined && findProvider(parsed.value.provider) !== undefined;
  const named = choice.provider === undefined && isKnown ? parsed : nameModel(choice);
  if (!named.ok) report.refused(at, named.error);
  else if (model === AUTO_MODEL)
    report.error(at, "The embedding model must be named.", { hint: "Write provider/model." });
  return choice;
}

export function duration(text: string | undefined, path: YamlPath, report: Report): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  report.refused(path, parsed.error);
  return undefined;
}

export function normaliseProvider(
  file: NonNullable<ModelFile["provider"]>,
  path: YamlPath,
  report: Report,
): ProviderChoice {
  if (typeof file === "string") return { name: file };
  const apiKeyEnv = file.api_key === undefined ? undefined : referenceIn(file.api_key);
  if (file.api_key !== undefined && apiKeyEnv === undefined) {
    report.error([...path, "api_key"], `"api_key" must name an environment variable, not hold the key.`, {
      hint: "Put the key into a variable and write api_key: $NAME. A key that was saved in a file should be replaced.",
      part: "key",
    });
  }
  if (file.base_url !== undefined && !isHttpUrl(file.base_url)) {
    report.error([...path, "base_url"], `"base_url" must be an http or https address.`);
  }
  return defined({ name: file.name, baseUrl: file.base_url, apiKeyEnv });
}

function normaliseSchedule(file: NonNullable<RuntimeFile["schedule"]>, path: YamlPath, report: Report): ScheduleSpec {
  const wakeup = parseWakeup(file.wakeup, file.tz);
  if (!wakeup.ok) report.refused([...path, wakeup.error.message.includes("time zone") ? "tz" : "wakeup"], wakeup.error);
  if (file.workspace !== undefined) {
    const target = parseTarget(`@${file.workspace}`);
    if (!target.ok || target.value.kind !== "channel") {
      report.error([...path, "workspace"], `${quoted(file.workspace)} is not a workspace.`, {
        hint: "Write workflow or workflow:tag.",
      });
    }
  }
  if (file.prompt?.includes("${{") === true) {
    report.warn([...path, "prompt"], `The prompt of a schedule has no placeholders: "\${{" stays as it is.`, {
      hint: "Say in words what the agent should look up.",
    });
  }
  return defined({ wakeup: file.wakeup, prompt: file.prompt, workspace: file.workspace, timeZone: file.tz });
}

function normaliseMcpServers(file: NonNullable<RuntimeFile["mcp_servers"]>, path: YamlPath, report: Report) {
  const servers: Record<string, McpServer> = {};
  for (const [name, server] of Object.entries(file)) {
    const at = [...path, name];
    if (!/^[a-zA-Z0-9][\w-]{0,63}$/u.test(name)) {
      report.error(at, `${quoted(name)} cannot be the name of an MCP server.`, {
        part: "key",
        hint: "Use letters, digits, _ and -.",
      });
    }
    if ("url" in server) {
      if (!isHttpUrl(server.url)) report.error([...at, "url"], `"url" must be an http or https address.`);
      warnAboutSecrets(server.headers ?? {}, [...at, "headers"], report);
      servers[name] = defined({ url: server.url, headers: server.headers });
    } else {
      servers[name] = defined({
        command: server.command,
        args: server.args,
        env: server.env && normaliseEnv(server.env, [...at, "env"], report),
        cwd: server.cwd === undefined ? undefined : insideProject(server.cwd, [...at, "cwd"], report),
      });
    }
  }
  return servers;
}

export function normaliseEnv(file: Record<string, string | number | boolean>, path: YamlPath, report: Report) {
  for (const [name, value] of Object.entries(file)) {
    const checked = checkVariable(name, String(value));
    if (!checked.ok) report.refused([...path, name], checked.error, "key");
  }
  warnAboutSecrets(file, path, report);
  return Object.fromEntries(Object.entries(file).map(([name, value]) => [name, String(value)]));
}

/** Variables and headers of these names usually contain a secret. */
const SECRET_NAME = /(?:^|[_-])(?:key|token|secret|password|passwd|authorization|credentials?)$/iu;

function warnAboutSecrets(table: Record<string, unknown>, path: YamlPath, report: Report): void {
  for (const [name, value] of Object.entries(table)) {
    if (SECRET_NAME.test(name) && typeof value === "string" && value !== "" && !value.includes("$")) {
      report.warn([...path, name], `${quoted(name)} looks like a secret written into the file.`, {
        part: "key",
        hint: "Put it into an environment variable and write $NAME.",
      });
    }
  }
}

function insideProject(written: string, path: YamlPath, report: Report): string | undefined {
  const checked = projectPath(written);
  if (checked.ok) return checked.value;
  report.refused(path, checked.error);
  return undefined;
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
}
