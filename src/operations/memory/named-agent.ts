import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import type { Read } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

/**
 * Returns the agent of the project that a caller means: first a participant of its space, by its name there, then an agent
 * of the project. An agent that exists only in a workspace remembers nothing, and others may have its name elsewhere.
 */
export async function namedAgent(ctx: Read, named: string): Promise<Result<string, Refusal>> {
  const { caller } = ctx;
  if (caller.kind === "agent") {
    const member = await ctx.read((store) => store.workspaces.member(caller.space, named));
    if (member?.ref === null) {
      return refuse("not_found", `${named} exists only in ${caller.space}: it remembers nothing.`, {
        hint: "Ask it in the channel.",
      });
    }
    if (member !== undefined) return ok(member.ref);
  }
  const agent = await findAgent(ctx.services.definitions, named);
  return agent.ok ? ok(named) : agent;
}

/** Returns the agents that a memory is shared with, by their names in the project; undefined when none are named. */
export async function shareNames(
  ctx: Read,
  owner: string,
  named: readonly string[] | undefined,
): Promise<Result<readonly string[] | undefined, Refusal>> {
  if (named === undefined) return ok(undefined);
  const names = new Set<string>();
  for (const name of named) {
    const found = await namedAgent(ctx, name);
    if (!found.ok) return found;
    if (found.value !== owner) names.add(found.value);
  }
  return ok([...names]);
}

/** Returns the agent of the project that calls; null for a person, and for agents that have no personal context. */
export async function callingAgent(ctx: Read): Promise<string | null> {
  if (ctx.caller.kind !== "agent") return null;
  const owner = await personalOwner(ctx, undefined);
  return owner.ok ? owner.value.agent : null;
}
