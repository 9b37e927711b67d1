import { isAbsolute, relative } from "node:path";
import type { PermissionOption, RequestPermissionOutcome } from "@agentclientprotocol/sdk";
import { decidePermission, type Judgement, type PermissionRequest } from "../../domain/agent/permission.ts";
import type { SessionSpec } from "../../ports/engine.ts";
import type { WantedCall } from "./acp-turn.ts";

/**
 * Answers an agent that asks whether it may. Looking is allowed unless a rule says otherwise; anything else needs a
 * rule that allows it, because there is nobody to ask while it runs. What is allowed is allowed once, so that every
 * call is judged. The team's own tools decide for themselves.
 */
export interface PermissionAnswer {
  readonly outcome: RequestPermissionOutcome;
  /** Why not, for people and for the model; null when it may. */
  readonly refusal: string | null;
}

export function answerPermission(
  call: WantedCall,
  options: readonly PermissionOption[],
  spec: Pick<SessionSpec, "cwd"> & { readonly agent: Pick<SessionSpec["agent"], "permissions"> },
): PermissionAnswer {
  const refusal = call.isTeamTool && call.kind !== "execute" ? null : refusalOf(call, spec);
  const wanted = refusal === null ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = wanted.map((kind) => options.find((each) => each.kind === kind)).find((found) => found !== undefined);
  if (option === undefined) {
    return { outcome: { outcome: "cancelled" }, refusal: refusal ?? "It offered no way to allow it." };
  }
  return { outcome: { outcome: "selected", optionId: option.optionId }, refusal };
}

function refusalOf(call: WantedCall, { cwd, agent }: Parameters<typeof answerPermission>[2]): string | null {
  const { requests, looks } = requestsOf(call, cwd);
  const rules = { ...agent.permissions, mode: looks ? "virtual" : "host" } as const;
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

function requestsOf(call: WantedCall, cwd: string): Wanted {
  switch (call.kind) {
    case "execute": {
      // A command in pieces was taken apart already; put together again it might read otherwise.
      const command = field(call.args, "command");
      return { requests: [{ tool: "bash", ...(typeof command === "string" ? { command } : {}) }], looks: false };
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
      return { requests: [{ tool: call.tool }], looks: false };
  }
}

function onPaths(tool: string, { paths, args }: WantedCall, cwd: string): PermissionRequest[] {
  const named = ["path", "filePath", "file_path", "abs_path"]
    .map((name) => field(args, name))
    .filter((value) => typeof value === "string");
  const all = [...new Set([...paths, ...named])];
  if (all.length === 0) return [{ tool }];
  return all.map((path) => ({ tool, path: isAbsolute(path) ? relative(cwd, path) : path }));
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
