import { parseSpace } from "../../domain/message/space.ts";
import type { Target } from "../../domain/message/target.ts";

/** Returns the target that reaches everyone in a stored space: its channel, or the agent of direct messages. */
export function spaceTarget(space: string): Target {
  const parsed = parseSpace(space);
  if (!parsed.ok) throw new Error(`The store holds a space that is none: ${space}`);
  return parsed.value.kind === "dm" ? parsed.value : { ...parsed.value, kind: "channel" };
}
