import type { Caller } from "../../kernel/caller.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { Fault } from "../../kernel/fault.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { err, ok, type Result } from "../../kernel/result.ts";
import type { System } from "../../kernel/system.ts";
import type { ProductTypes } from "../core/define.ts";
import { ballotTools } from "../ballots/tools.ts";
import { channelTools } from "../messages/tools.ts";
import { documentTools } from "../documents/tools.ts";
import { feedbackTool } from "../feedback/tools.ts";
import { inboxTools } from "../inbox/tools.ts";
import { memoryTools } from "../memory/tools.ts";
import { notebookTools } from "../notes/tools.ts";
import { resourceTools } from "../resources/tools.ts";
import { ruleTools } from "../rules/tools.ts";
import { silenceTool } from "../runs/tools.ts";
import { soulTool } from "../souls/tools.ts";
import type { Answer, Ask, TeamTool } from "./team-tool.ts";
import { toolAvailability } from "./tool-availability.ts";

/**
 * The tools of the team: the one table of how agents act on it, for engines that call tools directly and for those that
 * come through MCP. The order never changes, because providers cache prompts that hold it.
 */
const TEAM_TOOLS: readonly TeamTool[] = [
  ...channelTools,
  ...inboxTools,
  silenceTool,
  ...documentTools,
  ...resourceTools,
  ...ballotTools,
  ...memoryTools,
  ...notebookTools,
  soulTool,
  feedbackTool,
  ...ruleTools,
];

const BY_NAME: ReadonlyMap<string, TeamTool> = new Map(TEAM_TOOLS.map((tool) => [tool.name, tool]));

/** No other tool of a run may have one of these names. */
export const TEAM_TOOL_NAMES: ReadonlySet<string> = new Set(BY_NAME.keys());

/** Whether the result of a tool may hold untrusted content. True for every tool that is not one of the team. */
export function returnsUntrusted(tool: string): boolean {
  return BY_NAME.get(tool)?.returnsUntrusted ?? true;
}

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
  const standing = await system.query(caller, toolAvailability, {});
  return standing.ok ? { ...standing.value, named } : { personal: false, channel: false, named };
}

/** Exactly the tools the caller may use, in their fixed order. Persons have operations instead. */
export function teamTools(caller: Caller, standing: ToolAvailability): readonly TeamTool[] {
  return TEAM_TOOLS.filter((tool) => isOffered(tool, caller, standing));
}

function isOffered({ name, needs, uses }: TeamTool, caller: Caller, standing: ToolAvailability): boolean {
  if (caller.kind !== "agent") return false;
  if (needs === "personal context" && !standing.personal) return false;
  if (needs === "memory search" && !(standing.personal && standing.search !== false)) return false;
  if (needs === "other agent" && !(standing.personal && standing.others !== false)) return false;
  if (needs === "channel" && !standing.channel) return false;
  if (needs === "a definition that asks for it" && !standing.named.includes(name)) return false;
  return uses.every((operation) => operation.access(caller) === undefined);
}

export interface TeamToolResult {
  /** In words. */
  readonly content: string;
  readonly isError: boolean;
  /** The same for programs: the operation's answer, or `{ error }` with the refusal. */
  readonly structured: unknown;
}

/**
 * Calls a tool as the agent. Whatever it could do something about is an answer: a refusal with its hint, or a failure of
 * the disk. Only bugs are thrown. A tool the agent is not offered is refused, whatever it is called with.
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
    if (!answer.ok) return refusalResult(answer.error);
    return { content: answer.value.text, isError: false, structured: answer.value.data };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return refusalResult({ code: "unavailable", message: error.message, hint: error.hint ?? "Try again later." });
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
  return refuse("forbidden", `${name} is not for you here: there is no ${tool.needs}.`, { hint: INSTEAD[tool.needs] });
}

const INSTEAD = {
  "memory search": "It is switched off in your definition; what matters is in your prompt.",
  "other agent": "Ask whoever wrote to you.",
  "personal context": "Keep what matters in the documents of the workspace, or say it.",
  "a definition that asks for it": "A person adds it to the tools of your definition.",
  channel: 'Messages reach you directly. Send one to a colleague with channel_send and "to".',
} as const;

function askAs(system: System<ProductTypes>, caller: Caller): Ask {
  return async (operation, data, inWords) => {
    const result =
      operation.kind === "proposal"
        ? await system.propose(caller, operation, data)
        : await system.query(caller, operation, data);
    if (!result.ok) return result;
    const said = inWords(result.value);
    return ok<Answer>(typeof said === "string" ? { text: said, data: result.value } : said);
  };
}

function refusalResult(error: Refusal): TeamToolResult {
  const content = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  return { content, isError: true, structured: { error } };
}
