import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../../domain/agent/engines.ts";
import type { PersonalFolders } from "../../domain/agent/private-paths.ts";
import { decidePermission } from "../../domain/agent/permission.ts";
import { TEAM_TOOL_NAMES } from "../../domain/agent/team-tool-names.ts";
import {
  bringsOwnTools,
  choosableTools,
  isToolChosen,
  SHELL_TOOLS,
  SKILL_TOOL,
  unknownTools,
} from "../../domain/agent/tool-choice.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Clock } from "../../kernel/clock.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import type { Log } from "../../kernel/log.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { System } from "../../kernel/system.ts";
import { readApproval } from "../../operations/approvals/read-approval.ts";
import { requestApproval, type ApprovalState } from "../../operations/approvals/request-approval.ts";
import type { ProductTypes } from "../../operations/core/define.ts";
import type { BegunRun } from "../../operations/runs/begin-run.ts";
import { callTeamTool, callTool } from "../../operations/tools/team-tools.ts";
import type { TeamTool } from "../../operations/tools/team-tool.ts";
import { withOwnTools, type OwnRunGrants } from "../../operations/own-proposals/own-tool.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { Skills } from "../../ports/skills.ts";
import type { ApprovalAnswer, Approvals, ToolEndpoint, ToolHost, ToolSpec } from "../../ports/tools.ts";
import type { RunCredentials } from "../daemon-context.ts";
import type { RunningProject } from "../running-project.ts";
import { combineTools, type ToolSource } from "./combine-tools.ts";
import { createIdempotencyKeys, type IdempotencyKeys } from "./idempotency-keys.ts";
import { followGrants } from "./live-grants.ts";

/** The folders of a run. */
export interface RunFolders {
  readonly personalFolders: PersonalFolders;
  /** The project, or its copy in a worktree. Absolute. */
  readonly root: string;
}

/** What the composition root supplies to make the tools of a run. */
export interface RunToolParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly shellTools: (
    definition: AgentDefinition,
    ask: Approvals["ask"],
    folders: RunFolders,
  ) => ToolHost & AsyncDisposable;
  readonly skills: Pick<Skills, "list">;
  readonly skillTools: () => Promise<ToolHost>;
  /** Lets the program of an engine call the tools of its run over MCP; absent where nothing listens. */
  readonly runCredentials?: Pick<RunCredentials, "issue">;
}

/** The tools of a run, until it ends or yields. */
export interface RunTools extends ToolHost, AsyncDisposable {
  readonly endpoint: ToolEndpoint | null;
  readonly approvals: Approvals;
  /** Must be called before each step: see `IdempotencyKeys`. */
  beginStep(number: number): void;
}

/**
 * Combines the tools of one run. Those of the team come first, because no other tool may have their names; those that a
 * grant adds come last, so that the others stay where they were.
 */
export async function createRunTools(
  project: RunningProject,
  parts: RunToolParts,
  begun: BegunRun,
  definition: AgentDefinition,
  folders: RunFolders,
): Promise<RunTools> {
  const { system, services } = project;
  const { id, agent: name, space, cause, fence } = begun.run;
  const { ownProposals } = services;
  await ownProposals.refresh();
  checkToolNames(
    definition,
    ownProposals.all().map((own) => own.name),
  );
  // The message that the run answers is the cause of what the agent sends.
  const agent = { kind: "agent", name, space, run: id, fence, cause } as const;
  await using opened = new AsyncDisposableStack();
  const live = opened.use(await followGrants(project, agent, definition));
  const current = (): OwnRunGrants => withOwnTools(live.current(), ownProposals, agent, definition);
  const caller = { ...agent, operations: { has: (name: string) => current().operations.has(name) } };
  const chosen = (tool: string): boolean => isToolChosen(definition, tool);
  const keys = createIdempotencyKeys(begun.finishedSteps + 1);
  const markUntrusted = (): Promise<void> => services.provenance.markUntrusted(id);
  const approvals = approvalsOf(system, agent);
  const own = teamHost(system, caller, current, definition, keys, markUntrusted);
  const team = askFirst(own, approvals, (tool) => current().asked.has(tool));
  const sources: ToolSource[] = [{ name: "team", host: team, mayUseReservedNames: true }];
  const ownProgram = bringsOwnTools(definition);
  if (!ownProgram && SHELL_TOOLS.some(chosen)) {
    const shell = opened.use(parts.shellTools(definition, approvals.ask, folders));
    sources.push({ name: "shell", host: markBefore(selectTools(shell, chosen), markUntrusted) });
  }
  // Skills that the people of the project write are trusted, imported ones are not.
  if (chosen(SKILL_TOOL)) {
    const rules = { ...definition.permissions, mode: "virtual" } as const;
    const isAsked = (tool: string): boolean => decidePermission(rules, { tool }).decision === "ask";
    sources.push({
      name: "skills",
      host: askFirst(markImported(await parts.skillTools(), parts.skills, markUntrusted), approvals, isAsked),
    });
  }
  const { host, refused } = combineTools(sources, TEAM_TOOL_NAMES);
  const tools = withGranted(host, team, current);
  for (const { tool, source, reason } of refused) parts.log.warn("a tool was left out", { tool, source, reason });
  const identity = { ...agent, operations: { has: (name: string) => current().unasked.has(name) } };
  const credential = ownProgram ? parts.runCredentials?.issue({ project, caller: identity, tools }) : undefined;
  if (credential !== undefined) opened.use(credential);
  const closing = opened.move();
  return {
    ...tools,
    endpoint: credential === undefined ? null : { url: credential.url, token: credential.token },
    approvals,
    beginStep: keys.beginStep,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

function teamHost(
  system: System<ProductTypes>,
  caller: Extract<Caller, { kind: "agent" }>,
  grants: () => OwnRunGrants,
  definition: AgentDefinition,
  keys: IdempotencyKeys,
  markUntrusted: () => Promise<void>,
): ToolHost {
  const specs = grants().defined.map(toSpec);
  return {
    list: () => specs,
    unlisted: () => grants().unlisted,
    async call({ tool, args }, signal) {
      signal.throwIfAborted();
      const named = { ...caller, call: keys.next(tool, args) };
      const own = grants().own.get(tool);
      const answer =
        own === undefined
          ? await callTeamTool(system, named, tool, args, definition)
          : await callTool(system, named, own, args);
      const { untrusted, ...result } = answer;
      if (untrusted) await markUntrusted();
      return { kind: "result", ...result };
    },
  };
}

/** Adds the tools that the run has by grants now. The team answers every call of a tool that it has, or had, by them. */
function withGranted(host: ToolHost, team: ToolHost, grants: () => OwnRunGrants): ToolHost {
  const given = new Set<string>();
  const list = (): readonly ToolSpec[] => {
    const granted = grants().granted.map(toSpec);
    for (const { name } of granted) given.add(name);
    return [...host.list(), ...granted];
  };
  return {
    list,
    unlisted: () => host.unlisted?.() ?? [],
    shown: async (call) => host.shown?.(call),
    async call(call, signal) {
      const offered = list().map(({ name }) => name);
      if (!TEAM_TOOL_NAMES.includes(call.tool) && !given.has(call.tool)) return host.call(call, signal);
      if (offered.includes(call.tool) || !given.has(call.tool)) return team.call(call, signal);
      const content = `${call.tool} was not done: it was revoked. Go on without it, or ask in the channel.`;
      return { kind: "result", content, isError: true };
    },
  };
}

const SPECS = new WeakMap<TeamTool, ToolSpec>();

/** The same object each time, so that what is made of it can be kept. */
function toSpec(tool: TeamTool): ToolSpec {
  const known = SPECS.get(tool);
  if (known !== undefined) return known;
  const { name, description, inputSchema } = tool;
  const spec = { name, description, inputSchema };
  SPECS.set(tool, spec);
  return spec;
}

/** Asks a person before each call of the tools that need it. */
function askFirst(host: ToolHost, approvals: Approvals, isAsked: (tool: string) => boolean): ToolHost {
  return {
    list: () => host.list(),
    unlisted: () => host.unlisted?.() ?? [],
    async call(call, signal) {
      const answer = isAsked(call.tool) ? await approvals.ask(call) : { approved: true as const };
      if ("pending" in answer) return { kind: "approval", approval: answer.pending };
      if (answer.approved) return host.call(call, signal);
      return { kind: "result", content: `A person refused this call: ${answer.reason}`, isError: true };
    },
  };
}

/** A person decides later: the request is stored, and the same request made again returns the decision. */
function approvalsOf(system: System<ProductTypes>, caller: Caller): Approvals {
  const toAnswer = (approval: Result<ApprovalState, Refusal>): ApprovalAnswer => {
    if (!approval.ok) return { approved: false, reason: approval.error.message };
    const { id, state, reason } = approval.value;
    if (state === "pending") return { pending: id };
    return state === "approved" ? { approved: true } : { approved: false, reason: reason ?? "no reason was given." };
  };
  return {
    ask: async (call) => toAnswer(await system.propose(caller, requestApproval, { call })),
    answer: async (id) => toAnswer(await system.query(caller, readApproval, { id })),
  };
}

/** Every result of these tools is untrusted content. */
function markBefore(host: ToolHost, markUntrusted: () => Promise<void>): ToolHost {
  return {
    list: () => host.list(),
    shown: async (call) => host.shown?.(call),
    async call(call, signal) {
      await markUntrusted();
      return host.call(call, signal);
    },
  };
}

/** The texts of imported skills are untrusted content. */
function markImported(host: ToolHost, skills: Pick<Skills, "list">, markUntrusted: () => Promise<void>): ToolHost {
  return {
    list: () => host.list(),
    async call(call, signal) {
      const { name } = (call.args ?? {}) as { readonly name?: unknown };
      const skill = (await skills.list()).find((each) => each.name === name);
      if (skill !== undefined && skill.source !== null) await markUntrusted();
      return host.call(call, signal);
    },
  };
}

function selectTools(host: ToolHost, chosen: (tool: string) => boolean): ToolHost {
  return {
    list: () => host.list().filter(({ name }) => chosen(name)),
    shown: async (call) => host.shown?.(call),
    call: (call, signal) => host.call(call, signal),
  };
}

function checkToolNames(definition: AgentDefinition, own: readonly string[]): void {
  const { name, backend = DEFAULT_ENGINE } = definition;
  const [unknown] = unknownTools(definition).filter((written) => !own.includes(written));
  if (unknown === undefined) return;
  if (bringsOwnTools(definition)) {
    const message = `${name} names the tool "${unknown}", but ${backend} has tools of its own.`;
    throw new EngineFailure("permanent", `${message} Say in its permissions which of them it may use.`);
  }
  const hint = hintForUnknown(unknown, [...choosableTools(definition), ...own], "tools");
  throw new EngineFailure("permanent", `${name} names a tool that does not exist: "${unknown}". ${hint}`);
}
