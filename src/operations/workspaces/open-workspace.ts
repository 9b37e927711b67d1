import * as contract from "../../contract/workspaces.ts";
import { whyOnlyPeopleWrite } from "../../domain/agent/obeyed-files.ts";
import { resolveEntry } from "../../domain/agent/resolve.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { checkTag, nameKey } from "../../domain/names.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { buildScope } from "../../domain/workflow/scope.ts";
import { ownerAtOpening } from "../../domain/workspace/owner-election.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";
import { persons } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { findWorkflow } from "./find-workflow.ts";
import { openOwnerElection } from "./open-owner-election.ts";
import { toWorkspaceView } from "./view.ts";
import { wakeMembers } from "./workspace-members.ts";

/**
 * Opens a workspace of a workflow and stores its participants, each with its current definition. A workspace that was
 * closed before continues with its messages and documents.
 */
export const openWorkspace = proposal(contract.openWorkspace, {
  access: persons,

  async prepare(_data, ctx) {
    await ctx.services.definitions.refresh();
    return ok(undefined);
  },

  async execute(data, ctx) {
    const workflow = findWorkflow(ctx.services.definitions, data.workflow);
    if (!workflow.ok) return workflow;
    const tag = checkTag(data.tag);
    if (!tag.ok) return tag;
    const ref = { workflow: workflow.value.name, tag: tag.value };
    const key = formatSpace({ kind: "workspace", ...ref });

    const earlier = await ctx.store.workspaces.byKey(key);
    if (earlier?.state === "open") {
      return refuse("conflict", `Workflow "${displayWorkspace(ref)}" is running already.`, {
        hint: "Use it as it is, stop it first, or open another one with --tag.",
      });
    }
    const dir = folderOf(ctx, workflow.value, ref.tag);
    if (!dir.ok) return dir;
    const free = await checkFolderFree(ctx, key, ref, dir.value);
    if (!free.ok) return free;
    const participants = resolveParticipants(ctx, workflow.value, key);
    if (!participants.ok) return participants;

    const names = participants.value.map(({ agent }) => agent);
    const { provider, documents, channel, documentFile, channelFile } = workflow.value.workspace;
    const owner = ownerAtOpening(workflow.value.workspace, names, earlier?.documentOwner ?? null);
    const workspace: WorkspaceRecord = {
      key,
      ...ref,
      state: "open",
      provider,
      documents,
      channel,
      dir: dir.value,
      documentFile,
      channelFile,
      documentOwner: owner,
      openedAt: ctx.now,
      closedAt: null,
    };
    const usable = ctx.services.documents(workspace);
    if (!usable.ok) return usable;

    await ctx.store.workspaces.open(workspace);
    await ctx.store.workspaces.setParticipants(key, participants.value);
    // Replaces the record of an earlier start; `begin-workflow` then stores its own.
    await ctx.store.instances.save({ space: key, phase: "started", untilIdle: false });
    await ctx.store.rules.resume(key);
    await wakeMembers(ctx, key);
    await ctx.emit({ type: "workspace.opened", space: key });
    // When the system opens it, a workflow is being started: `post-kickoff` opens the election after the setup.
    const ballot = ctx.caller.kind === "system" ? ok(false) : await openOwnerElection(ctx, key);
    if (!ballot.ok) return ballot;
    return ok(toWorkspaceView(workspace, names));
  },
});

/** Relative to the project. Names and tags contain no slash, so they cannot leave the folder that a person chose. */
function folderOf(ctx: Execute, { name, workspace }: WorkflowDefinition, tag: string): Result<string, Refusal> {
  const base = ctx.services.definitions.settings().workspace.base;
  if (workspace.bind === undefined) return ok(`${base}/${name}/${tag}`);
  const folder = interpolate(workspace.bind, buildScope({ workflow: name, tag, projectDir: "." }));
  if (!folder.ok) return folder;
  const { text } = folder.value;
  const reason = whyOnlyPeopleWrite(text) ?? whyOnlyPeopleWrite(`${text}/${workspace.channelFile}`);
  if (reason === null) return ok(text);
  return refuse("invalid", `${text} cannot be the folder of a workspace: ${reason}`, { hint: "Change its bind." });
}

/** Two open workspaces never share a folder, not even on a disk that ignores case. */
async function checkFolderFree(
  ctx: Execute,
  key: string,
  ref: { readonly workflow: string; readonly tag: string },
  dir: string,
): Promise<Result<undefined, Refusal>> {
  const others = (await ctx.store.workspaces.list({ state: "open" })).filter((each) => each.key !== key);
  const other = others.find((each) => nameKey(each.dir) === nameKey(dir));
  if (other === undefined) return ok(undefined);
  return refuse("conflict", `"${displayWorkspace(other)}" is running in the folder ${dir} already.`, {
    hint: `Stop it first, or give "${displayWorkspace(ref)}" another tag or a folder of its own (bind: ./data/\${{ workflow.tag }}/).`,
  });
}

function resolveParticipants(
  ctx: Execute,
  workflow: WorkflowDefinition,
  space: string,
): Result<ParticipantRecord[], Refusal> {
  const { definitions } = ctx.services;
  const names = definitions.agents().map(({ name }) => name);
  const participants: ParticipantRecord[] = [];
  for (const [name, entry] of Object.entries(workflow.agents)) {
    const resolved = resolveEntry(name, entry, (ref) => definitions.agent(ref), names);
    if (!resolved.ok) return resolved;
    const { definition, promptAppend, refName } = resolved.value;
    participants.push({
      space,
      agent: name,
      position: participants.length,
      // An agent under another name gets a separate mailbox: two agents must never share one.
      isRef: refName === name,
      definition: JSON.stringify(definition),
      promptAppend: promptAppend ?? null,
      role: null,
      task: null,
      mood: null,
    });
  }
  return ok(participants);
}
