import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Read } from "../core/define.ts";
import { readTeamActivity } from "./agent-activity.ts";

/** Refuses an agent that takes part in an open workspace. */
export async function checkIdle(ctx: Read, agent: string): Promise<Result<undefined, Refusal>> {
  const { workspaces } = (await ctx.read(readTeamActivity)).of(agent);
  if (workspaces.length === 0) return ok(undefined);
  return refuse("conflict", `${agent} takes part in ${workspaces.join(", ")}.`, {
    hint: `Stop ${workspaces.length === 1 ? "it" : "them"} first: agent-worker stop ${workspaces[0]}`,
    details: { workspaces },
  });
}
