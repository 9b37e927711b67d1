import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Permissions } from "../agent/definition.ts";
import { decidePermission, type PermissionRequest } from "../agent/permission.ts";
import { commandText, readCommand } from "../agent/shell-words.ts";

/** What a tool call is used on: the command, or the file. Neither for other tools. */
export function callRequest(tool: string, args: unknown): PermissionRequest {
  const fields = typeof args === "object" && args !== null ? (args as Readonly<Record<string, unknown>>) : {};
  const { command } = fields;
  if (typeof command === "string") return { tool, command };
  const path = fields["path"] ?? fields["file_path"] ?? fields["file"];
  return typeof path === "string" ? { tool, path } : { tool };
}

/**
 * Returns the narrowest patterns that allow this call and nothing else: each simple command as it is, or the file.
 * Refuses a call that no such pattern can name.
 */
export function rulesFor(permissions: Permissions | undefined, request: PermissionRequest): Result<string[], Refusal> {
  const { tool, command, path } = request;
  const subjects = command === undefined ? (path === undefined ? [] : [path]) : simpleCommands(command);
  const hint = "Allow it once, or for the run.";
  if (subjects === undefined) {
    return refuse("conflict", "A rule for exactly this command cannot be written.", { hint });
  }
  if (subjects.some((subject) => subject.includes("*"))) {
    return refuse("conflict", "A rule for exactly this call cannot be written: * in a rule means any text.", { hint });
  }
  const patterns = [...new Set(subjects.length === 0 ? [tool] : subjects.map((subject) => `${tool}(${subject})`))];
  const allow = [...(permissions?.allow ?? []), ...patterns];
  if (decidePermission({ ...permissions, allow }, request).decision === "allow") return ok(patterns);
  return refuse("conflict", "Another rule of this agent asks for this call, or denies it, and that one counts.", {
    hint,
  });
}

/** Undefined when it is not certain what the command runs. */
function simpleCommands(command: string): string[] | undefined {
  const { commands, opaque } = readCommand(command);
  return opaque || commands.length === 0 ? undefined : commands.map(commandText);
}
