import type { Space } from "../message/message.ts";
import { DEFAULT_TAG } from "../names.ts";

/**
 * Where a schedule wakes its agent. `workspace` is what the schedule names: "workflow:tag" is that workspace,
 * "workflow" any running one of it (the default tag if it runs, else the first listed). `running` are the workspaces
 * the agent is attached to now. A schedule never waits for a workspace: when there is none, the agent wakes in its
 * direct messages.
 */
export function wakeSpace(agent: string, workspace: string | undefined, running: readonly Space[]): Space {
  const [workflow, tag] = (workspace ?? "").split(/:(.*)/, 2);
  const candidates = running.filter(
    (space) => space.kind === "workspace" && space.workflow === workflow && (tag === undefined || space.tag === tag),
  );
  const usual = candidates.find((space) => space.kind === "workspace" && space.tag === DEFAULT_TAG);
  return usual ?? candidates[0] ?? { kind: "dm", agent };
}
