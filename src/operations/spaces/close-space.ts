import * as contract from "../../contract/spaces/sub-spaces.ts";
import { formatSpace, parseSpace } from "../../domain/message/space.ts";
import type { Space } from "../../domain/message/message.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import { refuseSubSpace, splitTag, subSpaceTag, workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { announceOutcome, endSubSpace } from "./close-sub-space.ts";
import { subSpaceView } from "./view.ts";

/** Closes a sub-space. An agent closes those that it opened; a person closes any. */
export const closeSpace = proposal(contract.closeSpace, {
  access: participants,

  async execute({ space: written, outcome }, ctx) {
    const { caller } = ctx;
    const space = namedSpace(written, caller);
    if (!space.ok) return space;
    const found = await findWorkspace(ctx.store, space.value);
    if (!found.ok) return found;
    const record = found.value;
    if (record.state !== "open") return refuseSubSpace(record.workflow, record.tag);
    const view = await subSpaceView(ctx.store, record);
    if (caller.kind === "agent" && view.openedBy !== caller.name) {
      return refuse("forbidden", `${view.openedBy ?? "Somebody else"} opened ${view.address} and closes it.`, {
        hint: "Say there that it can be closed.",
      });
    }
    await endSubSpace(ctx, record);
    const announced = await announceOutcome(ctx, record, outcome);
    if (!announced.ok) return announced;
    if (caller.kind === "agent" && caller.run !== null) await ctx.store.runs.markSpoke(caller.run);
    return ok(await subSpaceView(ctx.store, { ...record, state: "closed", closedAt: ctx.now }));
  },
});

/** For an agent a bare name is a sub-space of its workspace, and it may name no other workspace. */
function namedSpace(written: string, caller: Caller): Result<Space, Refusal> {
  const here = caller.kind === "agent" ? parseSpace(workspaceOf(caller.space)) : undefined;
  if (here?.ok === false) return here;
  if (here !== undefined && here.value.kind === "workspace" && !written.includes("@")) {
    return ok({ ...here.value, tag: subSpaceTag(here.value.tag, written) });
  }
  const target = parseTarget(written);
  if (!target.ok) return target;
  const space = targetSpace(target.value);
  if (space.kind === "dm" || splitTag(space.tag).name === undefined) {
    return refuse("invalid", `"${written}" names no space of a workspace.`, { hint: "Name one as @WORKFLOW/NAME." });
  }
  if (here === undefined || workspaceOf(formatSpace(space)) === formatSpace(here.value)) return ok(space);
  return refuse("forbidden", `${written} is in another workspace.`, { hint: "Name a space of your own workspace." });
}
