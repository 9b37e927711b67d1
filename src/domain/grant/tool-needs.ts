import { teamToolName, type ToolNeed } from "../agent/team-tool-names.ts";

/** What an agent has where it runs. */
export interface AvailableNeeds {
  readonly personal: boolean;
  /** False when its definition says that it may not search its memory. */
  readonly search?: boolean;
  /** False when no other agent of the project has a personal context. */
  readonly others?: boolean;
  readonly channel: boolean;
}

type MissingNeed = Exclude<ToolNeed, "nothing" | "document owner" | "workspace">;

/** Returns what a tool needs and the agent does not have where it runs. */
export function missingNeed(needs: ToolNeed, available: AvailableNeeds): MissingNeed | undefined {
  const { personal, search = true, others = true, channel } = available;
  switch (needs) {
    case "personal context":
      return personal ? undefined : needs;
    case "memory search":
      return personal && search ? undefined : needs;
    case "other agent":
      return personal && others ? undefined : needs;
    case "channel":
    case "document owner":
      return channel ? undefined : "channel";
    default:
      return undefined;
  }
}

/**
 * Says why an agent could do nothing with a tool of the team in a space, whatever gives it the tool; undefined when it
 * could do something.
 */
export function uselessBecause(tool: string, space: string, available: AvailableNeeds): string | undefined {
  const { needs = "nothing", workspaceOnly = needs === "workspace" } = teamToolName(tool) ?? {};
  if (workspaceOnly && !space.startsWith("@")) return "it is for workspaces, and these are direct messages";
  const missing = missingNeed(needs, available);
  return missing === undefined ? undefined : `there is no ${missing}`;
}
