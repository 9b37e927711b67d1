import type { PermissionRequest } from "../../domain/agent/permission.ts";
import type { ProgramCall } from "../shared/program-call.ts";
import type { RequestedCall } from "./acp-turn.ts";

/**
 * Returns a call of an ACP agent in the terms of permissions. ACP agents choose the names of their tools and report a
 * kind. Null for the team's own tools, which check permissions themselves.
 */
export function acpCall(call: RequestedCall): ProgramCall | null {
  if (call.isTeamTool && call.kind !== "execute") return null;
  const { requests, isReadOnly } = requestsOf(call);
  return { tool: NAMES[call.kind ?? ""] ?? call.tool, args: argsOf(call), requests, isReadOnly };
}

const NAMES: Readonly<Record<string, string>> = {
  execute: "bash",
  edit: "write_file",
  delete: "delete",
  move: "move",
  read: "read_file",
  search: "list_files",
};

/** Returns everything reported about the call. The description of a command differs each time and is not executed. */
function argsOf({ tool, kind, paths, args }: RequestedCall): unknown {
  const entries = typeof args === "object" && args !== null ? Object.entries(args) : [["input", args] as const];
  const shown = entries.filter(([name]) => kind !== "execute" || name !== "description");
  if (shown.length > 0) return Object.fromEntries(shown);
  return paths.length > 0 ? { paths } : { title: tool };
}

function requestsOf(call: RequestedCall): Pick<ProgramCall, "requests" | "isReadOnly"> {
  switch (call.kind) {
    case "execute": {
      // A command given as a list is not joined: as one text it might be parsed differently.
      const command = field(call.args, "command");
      return { requests: [{ tool: "bash", ...(typeof command === "string" ? { command } : {}) }], isReadOnly: false };
    }
    case "edit":
    case "delete":
    case "move":
      return { requests: onPaths("write_file", call), isReadOnly: false };
    case "read":
      return { requests: onPaths("read_file", call), isReadOnly: true };
    case "search":
      return { requests: onPaths("list_files", call), isReadOnly: true };
    case "think":
      return { requests: [], isReadOnly: true };
    default:
      return { requests: [{ tool: call.tool }], isReadOnly: false };
  }
}

function onPaths(tool: string, { paths, args }: RequestedCall): PermissionRequest[] {
  const named = ["path", "filePath", "file_path", "abs_path"]
    .map((name) => field(args, name))
    .filter((value) => typeof value === "string");
  const all = [...new Set([...paths, ...named])];
  return all.length === 0 ? [{ tool }] : all.map((path) => ({ tool, path }));
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
