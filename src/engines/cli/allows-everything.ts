import type { Permissions } from "../../domain/agent/definition.ts";

/** Whether a person wrote, in so many words, that nothing is to hold the agent back on the host. */
export function allowsEverything(permissions: Permissions | undefined): boolean {
  return permissions?.mode === "host" && permissions.allow?.includes("*") === true;
}
