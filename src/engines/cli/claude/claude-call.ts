import type { PermissionRequest } from "../../../domain/agent/permission.ts";
import type { ProgramCall } from "../../shared/program-call.ts";

/**
 * Returns a call of Claude Code in the terms of permissions. Claude Code asks only about calls that its own defaults do
 * not allow, so none of them counts as read-only.
 */
export function claudeCall(tool: string, input: Readonly<Record<string, unknown>>): ProgramCall {
  // The description of a command differs each time and is not executed.
  const { description: _words, ...command } = input;
  return { tool, args: tool === "Bash" ? command : input, requests: [requestOf(tool, input)], isReadOnly: false };
}

function requestOf(tool: string, input: Readonly<Record<string, unknown>>): PermissionRequest {
  const text = (name: string): string | undefined => {
    const value = input[name];
    return typeof value === "string" ? value : undefined;
  };
  switch (tool) {
    case "Bash": {
      const command = text("command");
      return command === undefined ? { tool: "bash" } : { tool: "bash", command };
    }
    case "Write":
    case "Edit":
    case "MultiEdit":
    case "NotebookEdit":
      return onPath("write_file", text("file_path") ?? text("notebook_path"));
    case "Read":
      return onPath("read_file", text("file_path"));
    case "Glob":
    case "Grep":
      return onPath("list_files", text("path") ?? ".");
    default:
      return { tool };
  }
}

function onPath(tool: string, path: string | undefined): PermissionRequest {
  return path === undefined ? { tool } : { tool, path };
}
