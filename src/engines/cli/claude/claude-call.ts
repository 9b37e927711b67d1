import type { PermissionRequest } from "../../../domain/agent/permission.ts";
import type { ProgramCall } from "../../shared/program-call.ts";

/**
 * A call of Claude Code's as the agent's permissions are about it. It asks about what its own defaults do not cover, so
 * nothing it asks about counts as mere looking.
 */
export function claudeCall(tool: string, input: Readonly<Record<string, unknown>>): ProgramCall {
  // The description of a command is written anew each time, and is not what is run.
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
