import { checkAccess } from "../kernel/proposal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { Operation } from "../operations/core/define.ts";
import { listDocuments } from "../operations/documents/list-documents.ts";
import { readDocument } from "../operations/documents/read-document.ts";
import { readInbox } from "../operations/inbox/read-inbox.ts";
import { peekChannel } from "../operations/messages/peek-channel.ts";
import { listWorkspaces } from "../operations/workspaces/list-workspaces.ts";
import type { McpRequest } from "./mcp-request.ts";
import { CHANNEL, DOCUMENTS, INBOX, type ResourceAddress } from "./resource-address.ts";

/** A resource that a client can read without a tool call, by the same operations and access rules. */
export type ListedResource = { uri: string; name: string; description: string; mimeType: string };
export type ResourceTemplate = Omit<ListedResource, "uri"> & { uriTemplate: string };
export type ReadResource = { readonly mimeType: string; readonly text: string };

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/markdown";

export async function listResources({ caller, project }: McpRequest): Promise<ListedResource[]> {
  if (caller.kind !== "agent") {
    const open = await project.system.query(caller, listWorkspaces, { state: "open" });
    if (!open.ok) return [];
    return open.value.workspaces.map(({ space }) => ({
      uri: `${CHANNEL}/${encode(space)}`,
      name: `channel of ${space}`,
      description: `The latest messages of ${space}.`,
      mimeType: JSON_TYPE,
    }));
  }
  const may = (operation: Operation): boolean => checkAccess(caller, operation) === undefined;
  const documents = may(readDocument) ? await project.system.query(caller, listDocuments, {}) : undefined;
  const inbox = { uri: INBOX, name: "inbox", description: "What waits for you here.", mimeType: JSON_TYPE };
  const channel = { uri: CHANNEL, name: "channel", description: "The latest messages here.", mimeType: JSON_TYPE };
  return [
    ...(may(readInbox) ? [inbox] : []),
    ...(may(peekChannel) ? [channel] : []),
    ...(documents?.ok === true ? documents.value.documents : []).map(({ file }) => ({
      uri: `${DOCUMENTS}/${encode(file)}`,
      name: file,
      description: `The document ${file} of the workspace.`,
      mimeType: TEXT_TYPE,
    })),
  ];
}

export function resourceTemplates({ identity }: McpRequest): ResourceTemplate[] {
  const document = { name: "document", description: "A document of a workspace.", mimeType: TEXT_TYPE };
  if (identity.kind === "run") return [{ ...document, uriTemplate: `${DOCUMENTS}/{file}` }];
  return [
    {
      uriTemplate: `${INBOX}/{target}`,
      name: "inbox",
      description: "What waits for an agent: alice for all its spaces, alice@review for one.",
      mimeType: JSON_TYPE,
    },
    {
      uriTemplate: `${CHANNEL}/{target}`,
      name: "channel",
      description: "The latest messages of a workspace (@review) or of an agent's direct messages (alice).",
      mimeType: JSON_TYPE,
    },
    { ...document, uriTemplate: `${DOCUMENTS}/{target}/{file}` },
  ];
}

export async function readResource(
  { caller, project }: McpRequest,
  { kind, ...address }: ResourceAddress,
): Promise<Result<ReadResource, Refusal>> {
  if (kind === "document") {
    const document = await project.system.query(caller, readDocument, address);
    return document.ok ? ok({ mimeType: TEXT_TYPE, text: document.value.content }) : document;
  }
  const page = await (kind === "inbox"
    ? project.system.query(caller, readInbox, address)
    : project.system.query(caller, peekChannel, address));
  return page.ok ? ok({ mimeType: JSON_TYPE, text: JSON.stringify(page.value) }) : page;
}

/** `@` and `:` of a target stay as they are. */
function encode(part: string): string {
  return encodeURIComponent(part).replaceAll("%40", "@").replaceAll("%3A", ":");
}
