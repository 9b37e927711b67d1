import type { Caller } from "../../kernel/caller.ts";
import type { Access } from "../../kernel/proposal.ts";

/** The access rules. Which operations a caller may use is exactly what it is shown. */

/** A person, or the system itself. */
export const persons: Access = (caller) =>
  caller.kind === "agent"
    ? { code: "forbidden", message: "Only a person may do this.", hint: "Ask in the channel." }
    : undefined;

export const everyone: Access = () => undefined;

/** Not offered to anyone from outside: parts of other proposals, and what the system does by itself. */
export const systemOnly: Access = (caller) =>
  caller.kind === "system" ? undefined : { code: "forbidden", message: "Only the system itself does this." };

/** Agents inside a workspace, and persons. */
export const participants: Access = (caller) =>
  caller.kind === "agent" && !isWorkspace(caller.space)
    ? {
        code: "forbidden",
        message: "There is no workspace here: this is a direct message.",
        hint: "Answer the message, or use your own notes and memory.",
      }
    : undefined;

/** Agents inside a workspace, for what is about themselves there. */
export const members: Access = (caller) =>
  caller.kind === "agent"
    ? participants(caller)
    : { code: "forbidden", message: "Only an agent may say this of itself." };

function isWorkspace(space: string): boolean {
  return space.startsWith("@");
}

/** The name a caller's words and deeds are kept under. */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case "agent":
      return caller.name;
    case "person":
      return "user";
    case "system":
      return "system";
  }
}
