import type { Space } from "../../domain/message/message.ts";
import { displaySpace, formatSpace } from "../../domain/message/space.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/**
 * Returns the space of an earlier instance: 1 is the one before the current. Without a number it is the space itself.
 * Only for persons: an agent sees nothing but the instance it runs in.
 */
export async function earlierSpace(
  store: StoreReads,
  space: Space,
  earlier: number | undefined,
  caller: Caller,
): Promise<Result<Space, Refusal>> {
  if (earlier === undefined) return ok(space);
  if (caller.kind === "agent") {
    return refuse("forbidden", "Earlier instances are for persons.", { hint: "Ask the person what you need of them." });
  }
  // A sub-space belongs to an instance of its workspace, and the current one may have none of this name.
  const workspace = space.kind === "dm" ? undefined : { ...space, tag: splitTag(space.tag).tag };
  const current = workspace === undefined ? undefined : await store.workspaces.byKey(formatSpace(workspace));
  if (space.kind === "dm" || workspace === undefined || current === undefined) {
    return refuse("not_found", `${displaySpace(space)} has no earlier instances.`, {
      hint: "Name a workspace that was started: @WORKFLOW or @WORKFLOW:TAG.",
    });
  }
  const found = (await store.workspaces.earlier(current)).filter(({ instance }) => instance < current.instance);
  const instance = found[earlier - 1]?.instance;
  if (instance !== undefined) {
    const place = { ...space, instance };
    const isThere = workspace.tag === space.tag || (await store.workspaces.byKey(formatSpace(place))) !== undefined;
    if (isThere) return ok(place);
    return refuse("not_found", `There was no ${displaySpace(space)} in that instance.`, {
      hint: `See which spaces there were: agent-worker space list ${displaySpace({ ...workspace, instance })}`,
    });
  }
  return refuse("not_found", `${displaySpace(space)} has no instance that many starts ago: ${earlier}.`, {
    hint:
      found.length === 0
        ? "It was started once."
        : `The oldest is ${found.length === 1 ? "one start" : `${found.length} starts`} ago.`,
    details: { earlier: found.length },
  });
}
