import { isAbsolute, relative } from "node:path";
import type { RequestPermissionOutcome, RequestPermissionRequest, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Permissions } from "../../domain/agent/definition.ts";
import { decidePermission, type Judgement, type PermissionRequest } from "../../domain/agent/permission.ts";

/**
 * Answers an agent that asks whether it may. Looking is allowed unless a rule says otherwise; anything else needs a
 * rule that allows it, because there is nobody to ask while it runs. What is allowed is allowed once, so that every
 * call is judged.
 */
export interface PermissionAnswer {
  readonly outcome: RequestPermissionOutcome;
  /** Why not, for people and for the model; null when it may. */
  readonly refusal: string | null;
}

export interface PermissionContext {
  readonly permissions: Permissions | undefined;
  readonly cwd: string;
  /** The name of the tool that is called, as the agent first told it. */
  readonly tool: string;
  /** True for the team's own tools, which decide for themselves. */
  readonly isTeamTool: boolean;
}

export function answerPermission(
  { toolCall, options }: Pick<RequestPermissionRequest, "toolCall" | "options">,
  context: PermissionContext,
): PermissionAnswer {
  const refusal = context.isTeamTool && toolCall.kind !== "execute" ? null : refusalOf(toolCall, context);
  const wanted = refusal === null ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = wanted.map((kind) => options.find((each) => each.kind === kind)).find((found) => found !== undefined);
  if (option === undefined)
    return { outcome: { outcome: "cancelled" }, refusal: refusal ?? "It offered no way to allow it." };
  return { outcome: { outcome: "selected", optionId: option.optionId }, refusal };
}

function refusalOf(call: ToolCallUpdate, context: PermissionContext): string | null {
  const { requests, looks } = requestsOf(call, context);
  const rules = { ...context.permissions, mode: looks ? "virtual" : "host" } as const;
  const against = requests
    .map((request) => ({ request, judgement: decidePermission(rules, request) }))
    .find(({ judgement }) => judgement.decision !== "allow");
  return against === undefined ? null : reasonOf(against.request, against.judgement);
}

function reasonOf({ tool, command, path }: PermissionRequest, { decision, pattern }: Judgement): string {
  const subject = command ?? path;
  const what = subject === undefined ? tool : `${tool}(${subject})`;
  if (decision === "deny") return `Not allowed: "${pattern}" is denied to this agent.`;
  return `Not allowed: ${what} would need approval, and an ACP agent cannot wait for it. Add it to the agent's permissions: allow.`;
}

interface Wanted {
  readonly requests: readonly PermissionRequest[];
  readonly looks: boolean;
}

function requestsOf(call: ToolCallUpdate, { cwd, tool }: PermissionContext): Wanted {
  switch (call.kind) {
    case "execute": {
      const command = commandOf(call.rawInput);
      return { requests: [{ tool: "bash", ...(command === null ? {} : { command }) }], looks: false };
    }
    case "edit":
    case "delete":
    case "move":
      return { requests: onPaths("write_file", call, cwd), looks: false };
    case "read":
      return { requests: onPaths("read_file", call, cwd), looks: true };
    case "search":
      return { requests: onPaths("list_files", call, cwd), looks: true };
    case "think":
      return { requests: [], looks: true };
    default:
      return { requests: [{ tool }], looks: false };
  }
}

function onPaths(tool: string, call: ToolCallUpdate, cwd: string): PermissionRequest[] {
  const named = (call.locations ?? []).map(({ path }) => path);
  const paths = named.length > 0 ? named : pathsOf(call.rawInput);
  if (paths.length === 0) return [{ tool }];
  return paths.map((path) => ({ tool, path: isAbsolute(path) ? relative(cwd, path) : path }));
}

function commandOf(input: unknown): string | null {
  const command = field(input, "command");
  if (typeof command === "string") return command;
  // As a list it was taken apart already; put together again it might read otherwise.
  return null;
}

function pathsOf(input: unknown): string[] {
  return ["path", "filePath", "file_path", "abs_path"]
    .map((name) => field(input, name))
    .filter((value) => typeof value === "string");
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
