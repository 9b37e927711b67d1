import { spaceWords } from "../../domain/message/space-words.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Read } from "../core/define.ts";
import { readTeamActivity } from "./agent-activity.ts";

/** Refuses an agent that takes part in an open workspace. */
export async function checkIdle(ctx: Read, agent: string): Promise<Result<undefined, Refusal>> {
  const { workspaces } = (await ctx.read(readTeamActivity)).of(agent);
  if (workspaces.length === 0) return ok(undefined);
  const names = workspaces.map(spaceWords);
  return refuse("conflict", `${agent} takes part in ${names.join(", ")}.`, {
    hint: `Stop ${names.length === 1 ? "it" : "them"} first: agent-worker stop ${names[0]}`,
    details: { workspaces },
  });
}
