import * as contract from "../../contract/spaces/sub-spaces.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import { checkSpaceName, nameKey } from "../../domain/names.ts";
import { checkParticipant, checkRunning } from "../../domain/workspace/participation.ts";
import { splitTag, subSpaceTag } from "../../domain/workspace/sub-space.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { callerName, participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { proposal, type Execute } from "../core/define.ts";
import { spaceTarget } from "../core/space-target.ts";
import { postMessage } from "../messages/post-message.ts";
import { postNotice } from "../messages/post-notice.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { subSpaceView } from "./view.ts";

const MAX_OPEN = 20;

/**
 * Opens a sub-space of a workspace. Who opens it takes part, and the others are woken with its purpose, as a part of the
 * chain that led to it: its limits go on, and what is used there counts for the workspace. It shares the documents of
 * the workspace; ballots and rules are its own.
 */
export const openSpace = proposal(contract.openSpace, {
  access: participants,

  async execute(data, ctx) {
    const workspace = await findOpenWorkspace(ctx, data.target);
    if (!workspace.ok) return workspace;
    const members = await findMembers(ctx, workspace.value, data.members);
    if (!members.ok) return members;
    const others = await ctx.store.workspaces.within(workspace.value);
    if (others.filter(({ state }) => state === "open").length >= MAX_OPEN) {
      return refuse("conflict", `There are ${MAX_OPEN} open spaces in @${displayWorkspace(workspace.value)}.`, {
        hint: "Close one first.",
      });
    }
    const name = chooseName(data.name ?? nameInTarget(data.target), others);
    if (!name.ok) return name;

    const { workflow } = workspace.value;
    const tag = subSpaceTag(workspace.value.tag, name.value);
    const key = formatSpace({ kind: "workspace", workflow, tag });
    const record: WorkspaceRecord = {
      ...workspace.value,
      key,
      tag,
      mirrored: false,
      openedAt: ctx.now,
      closedAt: null,
    };
    await ctx.store.workspaces.open(record);
    await ctx.store.workspaces.setParticipants(
      key,
      members.value.map((member, position) => ({ ...member, space: key, position, task: null, mood: null })),
    );
    await ctx.emit({ type: "workspace.opened", space: key });

    const { caller } = ctx;
    const sender = callerName(caller);
    const names = members.value.map(({ agent }) => agent);
    const address = `@${displayWorkspace(record)}`;
    await postNotice(
      ctx,
      spaceTarget(workspace.value.key),
      `${sender} opened the space ${address} with ${names.filter((each) => each !== sender).join(", ")}. ` +
        `Read it with: agent-worker peek ${address}`,
    );
    const posted = await postMessage(ctx, {
      target: spaceTarget(key),
      sender,
      kind: "message",
      body: data.purpose,
      calls: names.filter((each) => each !== sender),
      cause: caller.kind === "agent" ? caller.cause : null,
      run: caller.kind === "agent" ? caller.run : null,
    });
    if (!posted.ok) return posted;
    return ok(await subSpaceView(ctx.store, record));
  },
});

/** A person may name the new space in the target: `@review/design`. */
function nameInTarget(target: string | undefined): string | undefined {
  const parsed = target === undefined ? undefined : parseTarget(target);
  const space = parsed?.ok === true ? targetSpace(parsed.value) : undefined;
  return space?.kind === "workspace" ? splitTag(space.tag).name : undefined;
}

/** Sub-spaces have none of their own: opened from one, it belongs to the same workspace. */
async function findOpenWorkspace(ctx: Execute, target: string | undefined): Promise<Result<WorkspaceRecord, Refusal>> {
  const space = callerSpace(target, ctx.caller);
  if (!space.ok) return space;
  const place = space.value.kind === "dm" ? space.value : { ...space.value, tag: splitTag(space.value.tag).tag };
  const workspace = await findWorkspace(ctx.store, place);
  if (!workspace.ok) return workspace;
  const running = checkRunning({ ...workspace.value, running: workspace.value.state === "open", participants: [] });
  if (!running.ok) return running;
  if (workspace.value.channel) return workspace;
  return refuse("not_found", `Workflow "${displayWorkspace(workspace.value)}" has no channel, and so no spaces.`);
}

/** Returns who takes part, in the order of the workspace: those that are named, and the agent that opens it. */
async function findMembers(ctx: Execute, workspace: WorkspaceRecord, named: readonly string[]) {
  const { caller } = ctx;
  const team = await ctx.store.workspaces.participants(workspace.key);
  const names = team.map(({ agent }) => agent);
  for (const agent of named) {
    const member = checkParticipant({ ...workspace, running: true, participants: names }, agent);
    if (!member.ok) return member;
  }
  const chosen = new Set([...named, ...(caller.kind === "agent" ? [caller.name] : [])]);
  if (caller.kind === "agent" && chosen.size < 2) {
    return refuse("invalid", "A space is for more than one.", { hint: "Name a colleague: team_members lists them." });
  }
  return ok(team.filter(({ agent }) => chosen.has(agent)));
}

function chooseName(wanted: string | undefined, others: readonly WorkspaceRecord[]): Result<string, Refusal> {
  const taken = new Set(others.map(({ tag }) => nameKey(splitTag(tag).name ?? "")));
  if (wanted === undefined) {
    for (let number = 1; ; number += 1) if (!taken.has(`space-${number}`)) return ok(`space-${number}`);
  }
  const name = checkSpaceName(wanted);
  if (!name.ok || !taken.has(nameKey(wanted))) return name;
  return refuse("conflict", `There is a space called "${wanted}" already, or there was one.`, {
    hint: "Choose another name.",
  });
}
