import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import {
  bringsOwnTools,
  choosableTools,
  isToolChosen,
  SHELL_TOOLS,
  SKILL_TOOL,
  unknownTools,
} from "../../domain/agent/tool-choice.ts";
import { combineTools, type ToolSource } from "../../engines/tools/combine-tools.ts";
import { createShellTools } from "../../engines/tools/shell-tools.ts";
import { createSkillTools, skillLocation } from "../../engines/tools/skill-tools.ts";
import { returnsUntrusted, type ProvenanceTracker } from "../../guard/provenance/provenance.ts";
import type { SkillEntry } from "../../guard/context/prompt-input.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import type { Log } from "../../kernel/log.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { System } from "../../kernel/system.ts";
import type { BegunRun } from "../../operations/runs/begin-run.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import { readApproval } from "../../operations/approvals/read-approval.ts";
import { requestApproval, type ApprovalState } from "../../operations/approvals/request-approval.ts";
import { callTeamTool, readToolAvailability, TEAM_TOOL_NAMES, teamTools } from "../../operations/tools/team-tools.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { Skills } from "../../ports/skills.ts";
import type { ApprovalAnswer, Approvals, ToolEndpoint, ToolHost } from "../../ports/tools.ts";
import type { RunCredential } from "../daemon-context.ts";
import type { RunTools } from "../project-runtime.ts";
import { runCaller } from "./run-identity.ts";
import { createIdempotencyKeys, type IdempotencyKeys } from "./idempotency-keys.ts";

/** The tools of one run, put together: first the team's, whose names nobody else may take. */
export interface RunToolsParts {
  readonly system: System<ProductTypes>;
  readonly begun: BegunRun;
  readonly definition: AgentDefinition;
  readonly log: Log;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly skills: Skills;
  readonly projectDir: string;
  readonly provenance: ProvenanceTracker;
  /** Lets programs of their own reach the tools of a run; absent where nothing listens. */
  readonly issueRunToken?: (credential: Omit<RunCredential, "project">) => Promise<ToolEndpoint & Disposable>;
}

export async function createRunTools(parts: RunToolsParts): Promise<RunTools> {
  const { system, begun, definition, log } = parts;
  checkNames(definition);
  const caller = runCaller(begun.run);
  const chosen = (tool: string): boolean => isToolChosen(definition, tool);
  await using opened = new AsyncDisposableStack();
  const keys = createIdempotencyKeys(begun.run.id, begun.finishedSteps + 1);
  const sources: ToolSource[] = [
    { name: "team", host: await teamHost(system, caller, definition, keys), trusted: true },
  ];
  const approvals = approvalsOf(system, caller);
  const ownProgram = bringsOwnTools(definition);
  if (!ownProgram && SHELL_TOOLS.some(chosen)) {
    const shell = opened.use(createShellTools({ ...parts, environment: parts.env, askApproval: approvals.ask }));
    sources.push({ name: "shell", host: only(shell, chosen) });
  }
  if (chosen(SKILL_TOOL)) sources.push({ name: "skills", host: await createSkillTools(parts.skills) });
  const { host: combined, refused } = combineTools(sources, TEAM_TOOL_NAMES);
  const host = trackProvenance(parts.provenance, begun.run.id, combined);
  for (const { tool, source, reason } of refused) log.warn("a tool was left out", { tool, source, reason });
  // The program of such an engine comes for the team's tools over MCP.
  const credential = ownProgram ? await parts.issueRunToken?.({ caller, tools: host }) : undefined;
  if (credential !== undefined) opened.use(credential);
  const endpoint = credential === undefined ? null : { url: credential.url, token: credential.token };
  const closing = opened.move();
  return {
    ...host,
    endpoint,
    approvals,
    beginStep: keys.beginStep,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** The skills an agent is told of: none, when it has no way to read them. */
export async function listSkills(skills: Skills, definition: AgentDefinition): Promise<readonly SkillEntry[]> {
  if (!isToolChosen(definition, SKILL_TOOL)) return [];
  return (await skills.list()).map(({ name, description }) => ({ name, description, location: skillLocation(name) }));
}

async function teamHost(
  system: System<ProductTypes>,
  caller: Caller,
  { tools: named = [] }: AgentDefinition,
  keys: IdempotencyKeys,
): Promise<ToolHost> {
  const team = teamTools(caller, await readToolAvailability(system, caller, named));
  const specs = team.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    list: () => specs,
    async call({ tool, args }, signal) {
      signal.throwIfAborted();
      return { kind: "result", ...(await callTeamTool(system, caller, tool, keys.withKey(tool, args), named)) };
    },
  };
}

/** A person decides in their own time: the question is kept, and asked again it is answered with what was decided. */
function approvalsOf(system: System<ProductTypes>, caller: Caller): Approvals {
  const told = (asked: Result<ApprovalState, Refusal>): ApprovalAnswer => {
    if (!asked.ok) return { approved: false, reason: asked.error.message };
    const { id, state, reason } = asked.value;
    if (state === "pending") return { pending: id };
    return state === "approved" ? { approved: true } : { approved: false, reason: reason ?? "no reason was given." };
  };
  return {
    ask: async (call) => told(await system.propose(caller, requestApproval, { call })),
    answer: async (id) => told(await system.query(caller, readApproval, { id })),
  };
}

/** What tools tell from outside is taken down before the agent is told it. */
function trackProvenance(provenance: ProvenanceTracker, run: string, host: ToolHost): ToolHost {
  return {
    list: () => host.list(),
    async call(call, signal) {
      if (returnsUntrusted(call.tool)) await provenance.tell(run);
      return host.call(call, signal);
    },
  };
}

function only(host: ToolHost, chosen: (tool: string) => boolean): ToolHost {
  return {
    list: () => host.list().filter(({ name }) => chosen(name)),
    call: (call, signal) => host.call(call, signal),
  };
}

function checkNames(definition: AgentDefinition): void {
  const { name, backend = DEFAULT_ENGINE } = definition;
  const [unknown] = unknownTools(definition, TEAM_TOOL_NAMES);
  if (unknown === undefined) return;
  if (bringsOwnTools(definition)) {
    const message = `${name} names the tool "${unknown}", but ${backend} has tools of its own.`;
    throw new EngineFailure("permanent", `${message} Say in its permissions which of them it may use.`);
  }
  const hint = hintForUnknown(unknown, choosableTools(definition, TEAM_TOOL_NAMES), "tools");
  throw new EngineFailure("permanent", `${name} names a tool that does not exist: "${unknown}". ${hint}`);
}
