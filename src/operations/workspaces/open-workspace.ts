import * as contract from "../../contract/workspaces.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { checkTag, nameKey } from "../../domain/names.ts";
import { ownerAtOpening } from "../../domain/workspace/owner-election.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { persons } from "../core/access.ts";
import { proposal, type Execute } from "../core/define.ts";
import { chooseInstance, firstFreeNumber } from "./choose-instance.ts";
import { findWorkflow } from "./find-workflow.ts";
import { endLeftWork } from "../spaces/close-sub-space.ts";
import { openOwnerElection } from "./open-owner-election.ts";
import { setAsideInstance } from "./set-aside-instance.ts";
import { toWorkspaceView } from "./view.ts";
import { checkReferences, workflowMembers } from "./workflow-members.ts";
import { wakeMembers } from "./workspace-members.ts";

/**
 * Opens a workspace of a workflow and stores its participants. It begins with an empty channel and no documents, unless
 * its file names a folder (`bind`) or the person wants to go on in the last instance.
 */
export const openWorkspace = proposal(contract.openWorkspace, {
  access: persons,

  async prepare(data, ctx) {
    const { services } = ctx;
    await services.definitions.refresh();
    const workflow = services.definitions.workflow(data.workflow, data.file);
    if (workflow === undefined || data.continue) return ok(1);
    const { tag } = data;
    const key = formatSpace({ kind: "workspace", workflow: workflow.name, tag });
    const last = await ctx.read((store) => store.workspaces.byKey(key));
    return ok(await firstFreeNumber(services, { workflow, tag }, last?.instance ?? 0));
  },

  async execute(data, ctx, least) {
    const workflow = findWorkflow(ctx.services.definitions, data.workflow, data.file);
    if (!workflow.ok) return workflow;
    const tag = checkTag(data.tag);
    if (!tag.ok) return tag;
    const ref = { workflow: workflow.value.name, tag: tag.value };
    const key = formatSpace({ kind: "workspace", ...ref });

    const earlier = await ctx.store.workspaces.byKey(key);
    if (earlier?.state === "open") {
      return refuse("conflict", `Workflow "${displayWorkspace(ref)}" is running already.`, {
        hint: `Use it as it is, stop it first (agent-worker stop @${displayWorkspace(ref)}), or open another one with --tag.`,
      });
    }
    const choice = { workflow: workflow.value, tag: ref.tag, last: earlier, goOn: data.continue, least };
    const chosen = chooseInstance(ctx.services, choice);
    if (!chosen.ok) return chosen;
    const { number, dir, goesOn } = chosen.value;
    const free = await checkFolderFree(ctx, key, ref, dir);
    if (!free.ok) return free;
    const complete = checkReferences(ctx.services.definitions, workflow.value);
    if (!complete.ok) return complete;

    const participants = workflowMembers(workflow.value, key);
    const names = participants.map(({ agent }) => agent);
    const { provider, documents, channel, mirrored, documentFile, channelFile } = workflow.value.workspace;
    const ownerBefore = goesOn ? (earlier?.documentOwner ?? null) : null;
    const owner = ownerAtOpening(workflow.value.workspace, names, ownerBefore);
    const workspace: WorkspaceRecord = {
      key,
      instance: number,
      earlier: false,
      ...ref,
      state: "open",
      provider,
      documents,
      channel,
      dir,
      mirrored,
      documentFile,
      channelFile,
      documentOwner: owner,
      ownerSetting: workflow.value.workspace.documentOwner ?? null,
      openedAt: ctx.now,
      closedAt: null,
      file: data.file,
    };
    const usable = ctx.services.documents(workspace);
    if (!usable.ok) return usable;

    const setAside = earlier === undefined || goesOn ? ok(undefined) : await setAsideInstance(ctx, earlier);
    if (!setAside.ok) return setAside;
    if (goesOn) for (const each of await ctx.store.workspaces.within(ref)) await endLeftWork(ctx, each.key);
    await ctx.store.workspaces.open(workspace);
    await ctx.store.workspaces.setParticipants(key, participants);
    // Replaces the record of an earlier start; `begin-workflow` then stores its own.
    await ctx.store.instances.save({ space: key, phase: "started", untilIdle: false });
    await ctx.store.rules.resume(key);
    await wakeMembers(ctx, key);
    const { value: before } = setAside;
    await ctx.emit({ type: "workspace.opened", space: key, ...(before === undefined ? {} : { earlier: before }) });
    // When the system opens it, a workflow is being started: `post-kickoff` opens the election after the setup.
    const ballot = ctx.caller.kind === "system" ? ok(false) : await openOwnerElection(ctx, key);
    if (!ballot.ok) return ballot;
    return ok(toWorkspaceView(workspace, names));
  },
});

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
