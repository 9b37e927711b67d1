import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import { findAgent } from "../agents/find-agent.ts";
import type { Read } from "./define.ts";

/**
 * The agent whose personal context an operation is about. A person names the agent. An agent gets its own, in every
 * workspace and under every name it has there. Personal context belongs to no space, so its operations name none.
 */
export interface PersonalOwner {
  readonly agent: string;
  readonly context: PersonalContext;
}

export async function personalOwner(ctx: Read, named: string | undefined): Promise<Result<PersonalOwner, Refusal>> {
  const { caller } = ctx;
  const agent = caller.kind === "agent" ? await ownName(ctx, caller, named) : await namedAgent(ctx, named);
  if (!agent.ok) return agent;
  const context = ctx.services.personal(agent.value);
  return context.ok ? ok({ agent: agent.value, context: context.value }) : context;
}

async function namedAgent(ctx: Read, named: string | undefined): Promise<Result<string, Refusal>> {
  if (named === undefined) return refuse("invalid", "Which agent is meant?", { hint: "Name the agent." });
  const agent = await findAgent(ctx.services.definitions, named);
  if (agent.ok) return ok(named);
  const participant = await ctx.read(async (store) => {
    const [space] = await store.workspaces.workspacesOf(named);
    return space === undefined ? undefined : store.workspaces.participant(space, named);
  });
  if (participant === undefined || participant.ref !== null) return agent;
  return refuseInline(named, participant.space);
}

async function ownName(
  ctx: Read,
  caller: Caller & { readonly kind: "agent" },
  named: string | undefined,
): Promise<Result<string, Refusal>> {
  const { name, space } = caller;
  if (named !== undefined && named !== name) {
    return refuse("forbidden", `${name} cannot use what belongs to ${named}.`, {
      hint: "Leave the agent out: it is you. Ask others in the channel.",
    });
  }
  if (!space.startsWith("@")) return ok(name);
  const member = await ctx.read((store) => store.workspaces.member(space, name));
  const agent = member?.ref ?? null;
  return agent === null ? refuseInline(name, space) : ok(agent);
}

function refuseInline(agent: string, space: string) {
  return refuse("not_found", `${agent} exists only in ${space}: it has no personal context.`, {
    hint: "Keep what matters in the documents of the workspace.",
  });
}
