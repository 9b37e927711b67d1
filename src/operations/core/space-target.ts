import { parseSpace } from "../../domain/message/space.ts";
import type { Target } from "../../domain/message/target.ts";

/** Where something is said to everyone in a space. The text comes from the store: it is well-formed. */
export function spaceTarget(space: string): Target {
  const parsed = parseSpace(space);
  if (!parsed.ok) throw new Error(`The store holds a space that is none: ${space}`);
  return parsed.value.kind === "dm" ? parsed.value : { ...parsed.value, kind: "channel" };
}
