import type { Space } from "../message/message.ts";
import { DEFAULT_TAG } from "../names.ts";

/**
 * Returns the space in which a schedule wakes its agent. `workspace` is that of the schedule: "workflow:tag" is exactly
 * that workspace; "workflow" is the one with the default tag if it is running, else the first running one. `running` are
 * the workspaces that the agent is in now. Without a match, the agent wakes in its direct messages.
 */
export function wakeSpace(agent: string, workspace: string | undefined, running: readonly Space[]): Space {
  const [workflow, tag] = (workspace ?? "").split(/:(.*)/, 2);
  const candidates = running.filter(
    (space) => space.kind === "workspace" && space.workflow === workflow && (tag === undefined || space.tag === tag),
  );
  const byDefaultTag = candidates.find((space) => space.kind === "workspace" && space.tag === DEFAULT_TAG);
  return byDefaultTag ?? candidates[0] ?? { kind: "dm", agent };
}
