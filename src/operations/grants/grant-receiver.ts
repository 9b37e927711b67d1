import { formatSpace, parseSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import { splitTag, workspaceOf } from "../../domain/workspace/sub-space.ts";
import { checkParticipant, checkRunning } from "../../domain/workspace/participation.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Execute } from "../core/define.ts";

/** The agent that a grant is about, in the space where it is given. */
export interface GrantReceiver {
  readonly agent: string;
  readonly space: string;
  /** Where the message is posted. */
  readonly target: Target;
}

/** A person names any agent, in an open workspace or in its direct messages. An agent names a colleague. */
export async function findGrantReceiver(ctx: Execute, written: string): Promise<Result<GrantReceiver, Refusal>> {
  const target = receiverTarget(written, ctx.caller);
  if (!target.ok) return target;
  if (target.value.kind === "channel") {
    return refuse("invalid", "A grant is for one agent.", { hint: `Name it before the workspace: AGENT${written}` });
  }
  const { agent } = target.value;
  // What is granted holds in the whole workspace, also in its sub-spaces.
  const space = workspaceOf(formatSpace(targetSpace(target.value)));
  if (target.value.kind === "dm") {
    if (ctx.services.definitions.agent(agent) !== undefined) return ok({ agent, space, target: target.value });
    return refuse("not_found", `There is no agent called "${agent}".`, {
      hint: "In a workspace it is NAME@WORKFLOW. See who there is: agent-worker ls",
      details: { kind: "agent", name: agent },
    });
  }
  const place = { ...target.value, tag: splitTag(target.value.tag).tag };
  const workspace = await ctx.store.workspaces.status(space);
  const running = checkRunning({ ...place, running: workspace?.state === "open", participants: [] });
  if (!running.ok) return running;
  const participants = (await ctx.store.workspaces.roster(space)).map((each) => each.agent);
  const member = checkParticipant({ ...place, running: true, participants }, agent);
  if (!member.ok) return member;
  const channel = { workflow: place.workflow, tag: place.tag, kind: "channel" } as const;
  return ok({ agent, space, target: workspace?.channel === true ? channel : place });
}

function receiverTarget(written: string, caller: Caller): Result<Target, Refusal> {
  const target = parseTarget(written);
  if (!target.ok || caller.kind !== "agent") return target;
  const runSpace = parseSpace(caller.space);
  if (!runSpace.ok) return runSpace;
  const { value: space } = runSpace;
  if (space.kind === "dm") {
    return refuse("forbidden", "There is nobody else here: this is a direct message.", {
      hint: "Ask the person to grant it.",
    });
  }
  if (target.value.kind === "dm") return ok({ ...space, kind: "agent", agent: target.value.agent });
  if (workspaceOf(formatSpace(targetSpace(target.value))) === workspaceOf(caller.space)) return target;
  return refuse("forbidden", `${caller.name} runs in ${caller.space} and cannot grant anything elsewhere.`, {
    hint: "Name somebody who takes part here.",
  });
}
