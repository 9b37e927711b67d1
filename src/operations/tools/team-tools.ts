import { hintForUnknownTool } from "../../domain/agent/replaced-tools.ts";
import type { Decision } from "../../domain/agent/permission.ts";
import {
  choiceWithGrants,
  decideTeamTool,
  isTeamToolShown,
  isWrittenOut,
  type ToolChoice,
} from "../../domain/agent/tool-choice.ts";
import { missingNeed, type AvailableNeeds } from "../../domain/grant/tool-needs.ts";
import type { Caller } from "../../kernel/caller.ts";
import { Fault } from "../../kernel/fault.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { err, ok, type Result } from "../../kernel/result.ts";
import type { System } from "../../kernel/system.ts";
import { ballotTools } from "../ballots/tools.ts";
import type { ProductTypes } from "../core/define.ts";
import { documentTools } from "../documents/tools.ts";
import { feedbackTools } from "../feedback/tools.ts";
import { grantTeamTools } from "../grants/tools.ts";
import { inboxTools } from "../inbox/tools.ts";
import { memoryTools } from "../memory/tools.ts";
import { messageTools } from "../messages/tools.ts";
import { noteTools } from "../notes/tools.ts";
import { resourceTools } from "../resources/tools.ts";
import { ruleTools } from "../rules/tools.ts";
import { runTools } from "../runs/tools.ts";
import { soulTools } from "../souls/tools.ts";
import { spaceTools } from "../spaces/tools.ts";
import { todoTools } from "../todos/tools.ts";
import { workspaceTools } from "../workspaces/tools.ts";
import type { Answer, Ask, TeamTool } from "./team-tool.ts";
import { toolAvailability } from "./tool-availability.ts";

/**
 * All tools of agents, for engines that call them directly and for MCP. The order never changes, because providers cache
 * prompts that contain it.
 */
const TEAM_TOOLS: readonly TeamTool[] = [
  ...messageTools,
  ...inboxTools,
  ...workspaceTools,
  ...runTools,
  ...documentTools,
  ...resourceTools,
  ...ballotTools,
  ...memoryTools,
  ...noteTools,
  ...todoTools,
  ...soulTools,
  ...feedbackTools,
  ...ruleTools,
  ...grantTeamTools,
  ...spaceTools,
];

const BY_NAME: ReadonlyMap<string, TeamTool> = new Map(TEAM_TOOLS.map((tool) => [tool.name, tool]));

/** Returns the tool of this name, whether or not an agent has it. */
export function findTeamTool(name: string): TeamTool | undefined {
  return BY_NAME.get(name);
}

/** What an agent has where it runs, and what its definition says: see `toolAvailability`. */
export interface ToolAvailability extends AvailableNeeds {
  /** Tools it has by grants, besides those of its definition. */
  readonly granted?: readonly string[];
  /** True when the documents of the workspace have an owner, or will have one. */
  readonly documentOwner?: boolean;
  readonly definition: ToolChoice;
}

export async function readToolAvailability(
  system: System<ProductTypes>,
  caller: Caller,
  definition: ToolChoice = {},
): Promise<ToolAvailability> {
  const available = await system.query(withoutGrants(caller), toolAvailability, {});
  return available.ok ? { ...available.value, definition } : { personal: false, channel: false, definition };
}

/**
 * Returns the tools that the caller is shown; none for persons, who call operations. Those of its definition come first,
 * in their fixed order, then those of grants: so a grant leaves the beginning of the list as it was.
 */
export function teamTools(caller: Caller, available: ToolAvailability): readonly TeamTool[] {
  const defined = shownTools(caller, { ...available, granted: [] });
  return [...defined, ...shownTools(caller, available).filter((tool) => !defined.includes(tool))];
}

function shownTools(caller: Caller, available: ToolAvailability): readonly TeamTool[] {
  return usableTools(caller, available).filter((tool) => isShown(tool, caller, available));
}

/** Returns the tools that the caller may call: also those of earlier versions, whose work a tool does that it is shown. */
function usableTools(caller: Caller, available: ToolAvailability): readonly TeamTool[] {
  return TEAM_TOOLS.filter((tool) => decideTool(tool, caller, available) !== "deny");
}

function isShown({ name, needs }: TeamTool, caller: Caller, available: ToolAvailability): boolean {
  const { documentOwner = false, granted = [] } = available;
  const definition = choiceWithGrants(available.definition, granted);
  const writtenOut = (written: string): boolean => isWrittenOut(definition, written);
  if (needs === "workspace" && !isInWorkspace(caller)) return writtenOut(name);
  if (needs === "document owner" && !documentOwner) return writtenOut(name) || writtenOut("full");
  return isTeamToolShown(definition, name);
}

function isInWorkspace(caller: Caller): boolean {
  return caller.kind === "agent" && caller.space.startsWith("@");
}

/**
 * The rights of a run, decided when its tools are made and when a grant changes. Over MCP it may call its tools; over
 * HTTP it may call the operations they use. A tool that a person must approve each time is used as a tool only, because
 * an HTTP request cannot wait for a person.
 */
export interface RunGrants {
  /** The tools of its definition that its model is shown. */
  readonly defined: readonly TeamTool[];
  /** Those that it has by grants only. */
  readonly granted: readonly TeamTool[];
  /** What its grants name: tools, sets of tools, own proposals. */
  readonly grantedNames: readonly string[];
  /** Names that it may also call: those of earlier versions, and silence where a person waits for an answer. */
  readonly unlisted: readonly string[];
  /** The tools whose calls a person must approve. */
  readonly asked: ReadonlySet<string>;
  /** Names of the operations that the tools use. */
  readonly operations: ReadonlySet<string>;
  /** The same without those of tools that a person must approve. */
  readonly unasked: ReadonlySet<string>;
}

/** By definition, and what else they depend on: most runs of an agent have the rights of its run before. */
const GRANTS = new WeakMap<ToolChoice, { readonly key: string; readonly grants: RunGrants }>();

export function runGrants(caller: Caller, available: ToolAvailability): RunGrants {
  const { definition, ...needs } = available;
  // Access rules of tools ask only who calls: an agent in a run, and whether it runs in a workspace.
  const isRun = caller.kind === "agent" && caller.run !== null;
  const key = JSON.stringify([caller.kind, isRun, isInWorkspace(caller), needs]);
  const known = GRANTS.get(definition);
  if (known?.key === key) return known.grants;
  const grants = decideGrants(caller, available);
  GRANTS.set(definition, { key, grants });
  return grants;
}

function decideGrants(caller: Caller, available: ToolAvailability): RunGrants {
  const usable = usableTools(caller, available);
  const defined = shownTools(caller, { ...available, granted: [] });
  const tools = teamTools(caller, available);
  const granted = tools.slice(defined.length);
  const unlisted = usable.filter((tool) => !tools.includes(tool)).map(({ name }) => name);
  const asked = new Set(usable.filter((tool) => decideTool(tool, caller, available) === "ask").map(({ name }) => name));
  const unasked = usable.filter(({ name }) => !asked.has(name));
  return {
    defined,
    granted,
    grantedNames: available.granted ?? [],
    unlisted,
    asked,
    operations: operationsOf(usable),
    unasked: operationsOf(unasked),
  };
}

function operationsOf(tools: readonly TeamTool[]): ReadonlySet<string> {
  return new Set(tools.flatMap(({ uses }) => uses.map(({ name }) => name)));
}

function withoutGrants(caller: Caller): Caller {
  if (caller.kind !== "agent") return caller;
  // Which tools there are does not depend on who has the run now; each call of one does.
  const { operations: _operations, fence: _fence, ...agent } = caller;
  return agent;
}

function decideTool({ name, needs, uses }: TeamTool, caller: Caller, available: ToolAvailability): Decision {
  if (caller.kind !== "agent" || missingNeed(needs, available) !== undefined) return "deny";
  if (uses.some((operation) => operation.access(caller) !== undefined)) return "deny";
  return decideTeamTool(choiceWithGrants(available.definition, available.granted ?? []), name);
}

export interface TeamToolResult {
  /** For the model. */
  readonly content: string;
  readonly isError: boolean;
  /** The same for programs: the operation's output, or `{ error }` with the refusal. */
  readonly structured: unknown;
  /** It may contain untrusted content: the run must be marked before its model gets it. */
  readonly untrusted: boolean;
}

/**
 * Calls a tool as the agent. Returns refusals and faults as error results; throws only on bugs. A tool that the agent is
 * not offered is refused before its arguments are checked.
 */
export async function callTeamTool(
  system: System<ProductTypes>,
  caller: Caller,
  name: string,
  args: unknown,
  definition: ToolChoice = {},
): Promise<TeamToolResult> {
  return orFault(async () => {
    const tool = await findTool(system, caller, name, definition);
    return tool.ok ? callFound(system, caller, tool.value, args) : refusalResult(tool.error, false);
  });
}

/** The same for a tool that is not one of the team's, and that the agent is known to have. */
export function callTool(
  system: System<ProductTypes>,
  caller: Caller,
  tool: TeamTool,
  args: unknown,
): Promise<TeamToolResult> {
  return orFault(() => callFound(system, caller, tool, args));
}

async function callFound(
  system: System<ProductTypes>,
  caller: Caller,
  tool: TeamTool,
  args: unknown,
): Promise<TeamToolResult> {
  let called = false;
  const ask = askAs(system, caller);
  const answer = await tool.call(args, (...call) => {
    called = true;
    return ask(...call);
  });
  // Wrong arguments are refused before anything is read.
  const returnsUntrusted = called && (tool.partFor?.(args) ?? tool).returnsUntrusted;
  if (!answer.ok) return refusalResult(answer.error, returnsUntrusted);
  const { text, data, untrusted = returnsUntrusted } = answer.value;
  return { content: text, isError: false, structured: data, untrusted };
}

async function orFault(call: () => Promise<TeamToolResult>): Promise<TeamToolResult> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { message, hint = "Try again later." } = error;
    return refusalResult({ code: "unavailable", message, hint }, false);
  }
}

async function findTool(
  system: System<ProductTypes>,
  caller: Caller,
  name: string,
  definition: ToolChoice,
): Promise<Result<TeamTool, Refusal>> {
  const tool = BY_NAME.get(name);
  if (tool === undefined || caller.kind !== "agent") {
    const offered = teamTools(caller, await readToolAvailability(system, caller, definition)).map((each) => each.name);
    return refuse("not_found", `There is no tool called "${name}".`, { hint: hintForUnknownTool(name, offered) });
  }
  const refusal = tool.uses.map((operation) => operation.access(caller)).find((each) => each !== undefined);
  if (refusal !== undefined) return err(refusal);
  const { needs } = tool;
  const isDefined = decideTeamTool(definition, name) !== "deny";
  if (isDefined && (needs === "nothing" || needs === "workspace")) return ok(tool);
  const available = await readToolAvailability(system, caller, definition);
  if (decideTool(tool, caller, available) !== "deny") return ok(tool);
  const missing = missingNeed(needs, available);
  if (!isDefined || missing === undefined) {
    return refuse("forbidden", `${name} is not for you: neither your definition nor a grant gives you this tool.`, {
      hint: "A person can grant it, add it to the tools of your definition, or take it out of deny.",
    });
  }
  return refuse("forbidden", `${name} is not for you here: there is no ${missing}.`, { hint: HINTS[missing] });
}

const HINTS = {
  "memory search": "It is switched off in your definition; what matters is in your prompt.",
  "other agent": "Ask whoever wrote to you.",
  "personal context": "Keep what matters in the documents of the workspace, or say it.",
  channel: 'Messages reach you directly. Send one to a colleague with channel_send and "to".',
} as const;

function askAs(system: System<ProductTypes>, caller: Caller): Ask {
  return async (operation, data, format) => {
    const result =
      operation.kind === "proposal"
        ? await system.propose(caller, operation, data)
        : await system.query(caller, operation, data);
    if (!result.ok) return result;
    const answer = format(result.value);
    return ok<Answer>(typeof answer === "string" ? { text: answer, data: result.value } : answer);
  };
}

function refusalResult(error: Refusal, untrusted: boolean): TeamToolResult {
  const content = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  return { content, isError: true, structured: { error }, untrusted };
}
