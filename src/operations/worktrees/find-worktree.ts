import { parseTarget } from "../../domain/message/target.ts";
import { worktreeFolder, worktreeTarget, type WorktreePlace } from "../../domain/worktree/worktree.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Worktrees, WorktreeState } from "../../ports/worktrees.ts";

/** Returns the worktree that a target names. A workspace whose agents have their own means the only one there is. */
export async function findWorktree(worktrees: Worktrees, target: string): Promise<Result<WorktreeState, Refusal>> {
  const place = parsePlace(target);
  if (!place.ok) return place;
  const all = await worktrees.list();
  const named = worktreeFolder(place.value);
  const found = all.find((each) => worktreeFolder(each.place) === named);
  if (found !== undefined) return ok(found);
  const inside = all.filter((each) => place.value.agent === null && isSameWorkspace(each.place, place.value));
  const [only] = inside;
  if (only !== undefined && inside.length === 1) return ok(only);
  const others = (inside.length > 0 ? inside : all).map((each) => worktreeTarget(each.place));
  return refuse("not_found", `${worktreeTarget(place.value)} has no worktree.`, {
    hint:
      others.length > 0
        ? `There are: ${others.join(", ")}.`
        : 'An agent gets one with "worktree: true" in its file, when it begins to work.',
  });
}

export function parsePlace(target: string): Result<WorktreePlace, Refusal> {
  const parsed = parseTarget(target);
  if (!parsed.ok) return parsed;
  if (parsed.value.kind === "dm") return ok({ agent: parsed.value.agent, workspace: null });
  const { workflow, tag } = parsed.value;
  const agent = parsed.value.kind === "agent" ? parsed.value.agent : null;
  return ok({ agent, workspace: { workflow, tag: splitTag(tag).tag } });
}

function isSameWorkspace({ workspace: one }: WorktreePlace, { workspace: other }: WorktreePlace): boolean {
  return one !== null && one.workflow === other?.workflow && one.tag === other.tag;
}
