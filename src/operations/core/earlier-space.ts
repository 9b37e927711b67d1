import type { Space } from "../../domain/message/message.ts";
import { displaySpace, formatSpace } from "../../domain/message/space.ts";
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
  const current = space.kind === "dm" ? undefined : await store.workspaces.byKey(formatSpace(space));
  if (space.kind === "dm" || current === undefined) {
    return refuse("not_found", `${displaySpace(space)} has no earlier instances.`, {
      hint: "Name a workspace that was started: @WORKFLOW or @WORKFLOW:TAG.",
    });
  }
  const found = (await store.workspaces.earlier(current)).filter(({ instance }) => instance < current.instance);
  const instance = found[earlier - 1]?.instance;
  if (instance !== undefined) return ok({ ...space, instance });
  return refuse("not_found", `${displaySpace(space)} has no instance that many starts ago: ${earlier}.`, {
    hint:
      found.length === 0
        ? "It was started once."
        : `The oldest is ${found.length === 1 ? "one start" : `${found.length} starts`} ago.`,
    details: { earlier: found.length },
  });
}
