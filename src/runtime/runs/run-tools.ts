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
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
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
import { callTeamTool, readToolAvailability, TEAM_TOOL_NAMES, teamTools } from "../../operations/tools/team-tools.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { ApprovalAnswer, Approvals, ToolEndpoint, ToolHost } from "../../ports/tools.ts";
import type { RunCredentials } from "../daemon-context.ts";
import type { RunningProject } from "../running-project.ts";
import { combineTools, type ToolSource } from "./combine-tools.ts";
import { createIdempotencyKeys, type IdempotencyKeys } from "./idempotency-keys.ts";

/** What the composition root supplies to make the tools of a run. */
export interface RunToolParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly shellTools: (definition: AgentDefinition, ask: Approvals["ask"]) => ToolHost & AsyncDisposable;
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

/** Combines the tools of one run. Those of the team come first, because no other tool may have their names. */
export async function createRunTools(
  project: RunningProject,
  parts: RunToolParts,
  begun: BegunRun,
  definition: AgentDefinition,
): Promise<RunTools> {
  const { system, services } = project;
  const { id, mailbox, space, cause } = begun.run;
  checkToolNames(definition);
  // The message that the run answers is the cause of what the agent sends.
  const caller = { kind: "agent", name: mailboxAgent(mailbox), space, run: id, cause } as const;
  const chosen = (tool: string): boolean => isToolChosen(definition, tool);
  await using opened = new AsyncDisposableStack();
  const keys = createIdempotencyKeys(id, begun.finishedSteps + 1);
  const markUntrusted = (): Promise<void> => services.provenance.markUntrusted(id);
  const team = await teamHost(system, caller, definition, keys, markUntrusted);
  const sources: ToolSource[] = [{ name: "team", host: team, mayUseReservedNames: true }];
  const approvals = approvalsOf(system, caller);
  const ownProgram = bringsOwnTools(definition);
  if (!ownProgram && SHELL_TOOLS.some(chosen)) {
    const shell = opened.use(parts.shellTools(definition, approvals.ask));
    sources.push({ name: "shell", host: markBefore(selectTools(shell, chosen), markUntrusted) });
  }
  // Skills are trusted: the people of the project write them.
  if (chosen(SKILL_TOOL)) sources.push({ name: "skills", host: await parts.skillTools() });
  const { host: tools, refused } = combineTools(sources, TEAM_TOOL_NAMES);
  for (const { tool, source, reason } of refused) parts.log.warn("a tool was left out", { tool, source, reason });
  const credential = ownProgram ? parts.runCredentials?.issue({ project, caller, tools }) : undefined;
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

async function teamHost(
  system: System<ProductTypes>,
  caller: Caller,
  { tools: named = [] }: AgentDefinition,
  keys: IdempotencyKeys,
  markUntrusted: () => Promise<void>,
): Promise<ToolHost> {
  const team = teamTools(caller, await readToolAvailability(system, caller, named));
  const specs = team.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    list: () => specs,
    async call({ tool, args }, signal) {
      signal.throwIfAborted();
      const answer = await callTeamTool(system, caller, tool, keys.withKey(tool, args), named);
      const { untrusted, ...result } = answer;
      if (untrusted) await markUntrusted();
      return { kind: "result", ...result };
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
    async call(call, signal) {
      await markUntrusted();
      return host.call(call, signal);
    },
  };
}

function selectTools(host: ToolHost, chosen: (tool: string) => boolean): ToolHost {
  return {
    list: () => host.list().filter(({ name }) => chosen(name)),
    call: (call, signal) => host.call(call, signal),
  };
}

function checkToolNames(definition: AgentDefinition): void {
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
