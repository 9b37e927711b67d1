import type { Caller } from "../../kernel/caller.ts";
import type { Access } from "../../kernel/proposal.ts";

/** Access rules. A caller is shown exactly the operations it may use. */

/** Persons and the system. */
export const persons: Access = (caller) =>
  caller.kind === "agent"
    ? { code: "forbidden", message: "Only a person may do this.", hint: "Ask in the channel." }
    : undefined;

export const everyone: Access = () => undefined;

/** The system only: parts of other proposals, and background work. */
export const systemOnly: Access = (caller) =>
  caller.kind === "system" ? undefined : { code: "forbidden", message: "Only the system itself does this." };

/** Agents that run in a workspace, persons and the system. */
export const participants: Access = (caller) =>
  caller.kind === "agent" && !isWorkspace(caller.space)
    ? {
        code: "forbidden",
        message: "There is no workspace here: this is a direct message.",
        hint: "Answer the message, or use your own notes and memory.",
      }
    : undefined;

/** Only agents that run in a workspace: the operation is about the caller. */
export const members: Access = (caller) =>
  caller.kind === "agent"
    ? participants(caller)
    : { code: "forbidden", message: "Only an agent may say this of itself." };

function isWorkspace(space: string): boolean {
  return space.startsWith("@");
}

/** The name that is stored as the author of what a caller does. */
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
