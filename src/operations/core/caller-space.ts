import type { Space } from "../../domain/message/message.ts";
import { formatSpace, parseSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/**
 * Returns the space an operation is about. A person names it. For an agent it is the space of its run, and it may name
 * no other.
 */
export function callerSpace(target: string | undefined, caller: Caller): Result<Space, Refusal> {
  if (caller.kind !== "agent") {
    if (target === undefined) {
      return refuse("invalid", "The request names no workspace.", { hint: "Name one as @WORKFLOW or @WORKFLOW:TAG." });
    }
    const parsed = parseTarget(target);
    return parsed.ok ? ok(targetSpace(parsed.value)) : parsed;
  }
  const runSpace = parseSpace(caller.space);
  if (!runSpace.ok || target === undefined) return runSpace;
  const parsed = parseTarget(target);
  if (!parsed.ok) return parsed;
  if (formatSpace(targetSpace(parsed.value)) === caller.space) return runSpace;
  return refuse("forbidden", `${caller.name} runs in ${caller.space} and cannot look into ${target}.`, {
    hint: "Leave the target out: it is the space you run in.",
  });
}

/** Returns the key of `callerSpace`; undefined when it is refused. */
export function spaceKey(target: string | undefined, caller: Caller): string | undefined {
  const space = callerSpace(target, caller);
  return space.ok ? formatSpace(space.value) : undefined;
}

/**
 * Whether a record of `space` is what the caller means. A person may name no target, and then finds records of every
 * space by their id; an agent finds those of its own space.
 */
export function isExpectedSpace(space: string, target: string | undefined, caller: Caller): boolean {
  return (target === undefined && caller.kind !== "agent") || spaceKey(target, caller) === space;
}
