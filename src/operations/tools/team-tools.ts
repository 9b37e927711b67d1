import type { Caller } from "../../kernel/caller.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { Fault } from "../../kernel/fault.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { err, ok, type Result } from "../../kernel/result.ts";
import type { System } from "../../kernel/system.ts";
import { ballotTools } from "../ballots/tools.ts";
import type { ProductTypes } from "../core/define.ts";
import { documentTools } from "../documents/tools.ts";
import { feedbackTools } from "../feedback/tools.ts";
import { inboxTools } from "../inbox/tools.ts";
import { memoryTools } from "../memory/tools.ts";
import { messageTools } from "../messages/tools.ts";
import { noteTools } from "../notes/tools.ts";
import { resourceTools } from "../resources/tools.ts";
import { ruleTools } from "../rules/tools.ts";
import { runTools } from "../runs/tools.ts";
import { soulTools } from "../souls/tools.ts";
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
];

const BY_NAME: ReadonlyMap<string, TeamTool> = new Map(TEAM_TOOLS.map((tool) => [tool.name, tool]));

/** No other tool of a run may have one of these names. */
export const TEAM_TOOL_NAMES: ReadonlySet<string> = new Set(BY_NAME.keys());

/** What an agent has where it runs: see `toolAvailability`. */
export interface ToolAvailability {
  readonly personal: boolean;
  /** False when its definition says that it may not search its memory. */
  readonly search?: boolean;
  /** False when no other agent of the project has a personal context. */
  readonly others?: boolean;
  readonly channel: boolean;
  /** Tools its definition names. */
  readonly named: readonly string[];
}

export async function readToolAvailability(
  system: System<ProductTypes>,
  caller: Caller,
  named: readonly string[] = [],
): Promise<ToolAvailability> {
  const available = await system.query(caller, toolAvailability, {});
  return available.ok ? { ...available.value, named } : { personal: false, channel: false, named };
}

/** Returns exactly the tools the caller may use, in their fixed order; none for persons, who call operations. */
export function teamTools(caller: Caller, available: ToolAvailability): readonly TeamTool[] {
  return TEAM_TOOLS.filter((tool) => isOffered(tool, caller, available));
}

function isOffered({ name, needs, uses }: TeamTool, caller: Caller, available: ToolAvailability): boolean {
  if (caller.kind !== "agent") return false;
  if (needs === "personal context" && !available.personal) return false;
  if (needs === "memory search" && !(available.personal && available.search !== false)) return false;
  if (needs === "other agent" && !(available.personal && available.others !== false)) return false;
  if (needs === "channel" && !available.channel) return false;
  if (needs === "a definition that asks for it" && !available.named.includes(name)) return false;
  return uses.every((operation) => operation.access(caller) === undefined);
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
  named: readonly string[] = [],
): Promise<TeamToolResult> {
  try {
    const tool = await findTool(system, caller, name, named);
    const answer = tool.ok ? await tool.value.call(args, askAs(system, caller)) : tool;
    const returnsUntrusted = BY_NAME.get(name)?.returnsUntrusted ?? true;
    if (!answer.ok) return refusalResult(answer.error, returnsUntrusted);
    const { text, data, untrusted = returnsUntrusted } = answer.value;
    return { content: text, isError: false, structured: data, untrusted };
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
  named: readonly string[],
): Promise<Result<TeamTool, Refusal>> {
  const tool = BY_NAME.get(name);
  if (tool === undefined || caller.kind !== "agent") {
    const offered = teamTools(caller, await readToolAvailability(system, caller, named)).map((each) => each.name);
    return refuse("not_found", `There is no tool called "${name}".`, { hint: hintForUnknown(name, offered, "tools") });
  }
  const refusal = tool.uses.map((operation) => operation.access(caller)).find((each) => each !== undefined);
  if (refusal !== undefined) return err(refusal);
  if (tool.needs === "nothing" || isOffered(tool, caller, await readToolAvailability(system, caller, named)))
    return ok(tool);
  return refuse("forbidden", `${name} is not for you here: there is no ${tool.needs}.`, { hint: HINTS[tool.needs] });
}

const HINTS = {
  "memory search": "It is switched off in your definition; what matters is in your prompt.",
  "other agent": "Ask whoever wrote to you.",
  "personal context": "Keep what matters in the documents of the workspace, or say it.",
  "a definition that asks for it": "A person adds it to the tools of your definition.",
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
