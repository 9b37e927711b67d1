import { z } from "zod";
import { workspaceView } from "../../contract/workspace.ts";
import { resolveEntry } from "../../domain/agent/resolve.ts";
import { MAX_OPTIONS } from "../../domain/ballot/terms.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { checkTag, DEFAULT_TAG, nameKey } from "../../domain/names.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { buildScope } from "../../domain/workflow/scope.ts";
import { ownerAtOpening } from "../../domain/workspace/owner-election.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import { system } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ParticipantRecord, WorkspaceRecord } from "../../ports/store/workspace.ts";
import { persons } from "../core/access.ts";
import { createBallot } from "../ballots/create-ballot.ts";
import { proposal, type Execute } from "../core/define.ts";
import { findWorkflow } from "./find-workflow.ts";
import { setDocumentOwner } from "../documents/set-document-owner.ts";
import { wakeWaiting } from "../runs/wake-waiting.ts";
import { toWorkspaceView } from "./view.ts";

/**
 * Makes a workspace of a workflow: records it with its participants, each with the definition it has at this moment.
 * A workspace that was closed goes on with its messages and documents.
 */
export const openWorkspace = proposal({
  name: "open-workspace",
  summary: "Open a workspace of a workflow, or one that was closed before, and let its agents join.",
  input: z.object({
    workflow: z.string(),
    tag: z.string().default(DEFAULT_TAG),
  }),
  output: workspaceView,
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
    const { owner, election } = ownerAtOpening(workflow.value.workspace, names, earlier?.documentOwner ?? null);
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
    // Whatever an earlier start left behind is over; `begin-workflow` writes its own.
    await ctx.store.instances.save({ space: key, phase: "started", untilIdle: false });
    await ctx.store.rules.resume(key);
    await wakeWaiting(ctx, key);
    await ctx.emit({ type: "workspace.opened", space: key });
    if (election) {
      const called = await ctx.propose(createBallot, ownerElection(key, names), system);
      if (!called.ok) return called;
    }
    return ok(toWorkspaceView(workspace, names));
  },
});

/** Until it is decided nobody may write, so it always ends with an owner: the first to join, if time runs out. */
function ownerElection(space: string, names: readonly string[]): z.input<typeof createBallot.input> {
  const candidates = names.slice(0, MAX_OPTIONS);
  return {
    target: space,
    type: "election",
    title: "Who owns the documents of this workspace?",
    options: candidates.map((name) => ({
      id: name,
      label: name,
      then: { propose: setDocumentOwner.name, data: { target: space, owner: name } },
    })),
    binding: true,
    ...(candidates[0] === undefined ? {} : { fallback: candidates[0] }),
  };
}

/** Relative to the project. Names and tags hold no slash, so they cannot lead out of the place a person chose. */
function folderOf(ctx: Execute, { name, workspace }: WorkflowDefinition, tag: string): Result<string, Refusal> {
  const base = ctx.services.definitions.settings().workspace.base;
  if (workspace.bind === undefined) return ok(`${base}/${name}/${tag}`);
  const folder = interpolate(workspace.bind, buildScope({ workflow: name, tag, projectDir: "." }));
  return folder.ok ? ok(folder.value.text) : folder;
}

/** Two workspaces share nothing, so two open ones never have the same folder, on any disk. */
async function checkFolderFree(
  ctx: Execute,
  key: string,
  ref: { readonly workflow: string; readonly tag: string },
  dir: string,
): Promise<Result<undefined, Refusal>> {
  const others = (await ctx.store.workspaces.list({ state: "open" })).filter((each) => each.key !== key);
  const neighbour = others.find((each) => nameKey(each.dir) === nameKey(dir));
  if (neighbour === undefined) return ok(undefined);
  return refuse("conflict", `"${displayWorkspace(neighbour)}" is running in the folder ${dir} already.`, {
    hint: `Stop it first, or give "${displayWorkspace(ref)}" another tag or a folder of its own (bind: ./data/\${{ workflow.tag }}/).`,
  });
}

function resolveParticipants(
  ctx: Execute,
  workflow: WorkflowDefinition,
  space: string,
): Result<ParticipantRecord[], Refusal> {
  const { definitions } = ctx.services;
  const known = definitions.agents().map(({ name }) => name);
  const participants: ParticipantRecord[] = [];
  for (const [name, entry] of Object.entries(workflow.agents)) {
    const resolved = resolveEntry(name, entry, (ref) => definitions.agent(ref), known);
    if (!resolved.ok) return resolved;
    const { definition, promptAppend, refName } = resolved.value;
    participants.push({
      space,
      agent: name,
      position: participants.length,
      // Under another name it has a mailbox of its own: two agents must never share one.
      isRef: refName === name,
      definition: JSON.stringify(definition),
      promptAppend: promptAppend ?? null,
      task: null,
      mood: null,
    });
  }
  return ok(participants);
}
