import { checkDocumentWriter } from "../../domain/workspace/document-writer.ts";
import { splitTag } from "../../domain/workspace/sub-space.ts";
import { checkRunning } from "../../domain/workspace/participation.ts";
import { displayWorkspace } from "../../domain/workspace/workspace.ts";
import type { Caller } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Documents } from "../../ports/documents.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { WorkspaceRecord } from "../../ports/store/workspace.ts";
import { callerSpace } from "../core/caller-space.ts";
import type { Read } from "../core/define.ts";
import { earlierSpace } from "../core/earlier-space.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";

/** The documents an operation is about, and the workspace that has them. */
export interface WorkspaceDocuments {
  readonly workspace: WorkspaceRecord;
  readonly documents: Documents;
}

/** Returns documents to read, of an open or a closed workspace, or of an earlier instance. */
export function documentsToRead(
  ctx: Read,
  { target, earlier }: { readonly target?: string | undefined; readonly earlier?: number | undefined },
): Promise<Result<WorkspaceDocuments, Refusal>> {
  return locate(ctx, (store) => checkReadable(store, target, ctx.caller, earlier));
}

/** Returns documents to write. `publishWrite` checks again in the transaction. */
export function documentsToWrite(ctx: Read, target: string | undefined): Promise<Result<WorkspaceDocuments, Refusal>> {
  return locate(ctx, (store) => checkWritable(store, target, ctx.caller));
}

export async function checkWritable(
  store: StoreReads,
  target: string | undefined,
  caller: Caller,
): Promise<Result<WorkspaceRecord, Refusal>> {
  const workspace = await openDocuments(store, target, caller);
  if (!workspace.ok || caller.kind !== "agent") return workspace;
  const { key, documentOwner } = workspace.value;
  const { length } = await store.workspaces.roster(key);
  const writer = checkDocumentWriter({ owner: documentOwner, participants: length }, caller.name);
  return writer.ok ? workspace : writer;
}

/** Returns the workspace if it has documents and is running. */
export async function openDocuments(
  store: StoreReads,
  target: string | undefined,
  caller: Caller,
): Promise<Result<WorkspaceRecord, Refusal>> {
  const workspace = await checkReadable(store, target, caller);
  if (!workspace.ok) return workspace;
  const running = checkRunning({ ...workspace.value, running: workspace.value.state === "open", participants: [] });
  return running.ok ? workspace : running;
}

async function checkReadable(
  store: StoreReads,
  target: string | undefined,
  caller: Caller,
  earlier?: number,
): Promise<Result<WorkspaceRecord, Refusal>> {
  const named = callerSpace(target, caller);
  const space = named.ok ? await earlierSpace(store, named.value, earlier, caller) : named;
  if (!space.ok) return space;
  // A sub-space has the documents of its workspace.
  const { value } = space;
  const workspace = await findWorkspace(
    store,
    value.kind === "dm" ? value : { ...value, tag: splitTag(value.tag).tag },
  );
  if (!workspace.ok || workspace.value.channel) return workspace;
  return refuse("not_found", `Workflow "${displayWorkspace(workspace.value)}" has no documents.`, {
    hint: "Its workspace is switched off with context: false.",
  });
}

async function locate(
  ctx: Read,
  find: (store: StoreReads) => Promise<Result<WorkspaceRecord, Refusal>>,
): Promise<Result<WorkspaceDocuments, Refusal>> {
  const workspace = await ctx.read(find);
  if (!workspace.ok) return workspace;
  const documents = ctx.services.documents(workspace.value);
  return documents.ok ? ok({ workspace: workspace.value, documents: documents.value }) : documents;
}
