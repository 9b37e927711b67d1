import { z } from "zod";
import { MAX_DOCUMENT_BYTES } from "../domain/workspace/document-size.ts";
import { earlierInstance } from "./messages.ts";
import { declareProposal, declareQuery } from "./operation.ts";

export const documentInfoView = z.object({
  file: z.string(),
  bytes: z.int(),
  modifiedAt: z.iso.datetime(),
});
export type DocumentInfoView = z.output<typeof documentInfoView>;

export const documentListView = z.object({
  space: z.string(),
  /** The document that is used when a request names no file. */
  defaultFile: z.string(),
  /** The only agent that may write. Null when every agent may; while `electing`, no agent may. */
  owner: z.string().nullable(),
  electing: z.boolean(),
  documents: z.array(documentInfoView),
});

export const documentView = z.object({
  space: z.string(),
  file: z.string(),
  content: z.string(),
  /** Pass it with a write, which is then refused when the document has changed since. */
  revision: z.string(),
});

export const writtenDocumentView = documentView.omit({ content: true });
export type WrittenDocumentView = z.output<typeof writtenDocumentView>;

export const documentOwnerView = z.object({ space: z.string(), owner: z.string().nullable() });

export const suggestionView = z.object({
  id: z.string(),
  space: z.string(),
  file: z.string(),
  /** `replace`: the content is the whole new text. `append`: it is added at the end. */
  way: z.enum(["replace", "append"]),
  content: z.string(),
  note: z.string().nullable(),
  author: z.string(),
  state: z.enum(["open", "accepted", "rejected"]),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  at: z.iso.datetime(),
});
export type SuggestionView = z.output<typeof suggestionView>;

export const documentTarget = z.string().optional().describe("@review or @review:pr-1. Agents: leave it out.");

export const documentFile = z.string().min(1).describe("Name of the document, such as notes.md or plans/week-1.md");

export const documentContent = z.string().max(MAX_DOCUMENT_BYTES, "the document is too long");

/** The input that `accept-suggestion` and `reject-suggestion` share. */
export const suggestionChoice = {
  id: z.string().describe("Id of the suggestion, from the list of suggestions."),
  target: z.string().optional().describe("Refused unless it is there: @review"),
};

export const listDocuments = declareQuery({
  name: "list-documents",
  summary: "List the documents of a workspace, and who may write them.",
  personTool: "document_list",
  method: "GET",
  path: "/documents",
  input: z.object({ target: documentTarget, earlier: earlierInstance }),
  output: documentListView,
});

export const createDocument = declareProposal({
  name: "create-document",
  summary: "Add a new document to a workspace; refused when there is one of that name.",
  method: "POST",
  path: "/documents",
  personTool: "document_create",
  large: true,
  input: z.object({ target: documentTarget, file: documentFile, content: documentContent.default("") }),
  output: writtenDocumentView,
});

export const setDocumentOwner = declareProposal({
  name: "set-document-owner",
  summary: "Make one participant the only agent that writes a workspace's documents, or let everyone write.",
  method: "PUT",
  path: "/documents-owner",
  input: z.object({
    target: documentTarget,
    owner: z.string().nullable().describe("An agent of the workspace; null = everyone may write."),
  }),
  output: documentOwnerView,
});

export const readDocument = declareQuery({
  name: "read-document",
  summary: "Read a document of a workspace: the notes, unless another file is named.",
  personTool: "document_read",
  method: "GET",
  path: "/documents/:file",
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    previous: z.boolean().default(false).describe("The revision before the last write."),
    revision: z.string().max(64).optional().describe("This revision, from the history."),
    earlier: earlierInstance,
  }),
  output: documentView,
});

export const listDocumentHistory = declareQuery({
  name: "list-document-history",
  summary: "List the earlier revisions of a document that are kept, newest first.",
  method: "GET",
  path: "/documents/:file/history",
  input: z.object({ target: documentTarget, file: documentFile, earlier: earlierInstance }),
  output: z.object({
    space: z.string(),
    file: z.string(),
    /** Who wrote what is there now: an agent, or user. Null when that is not known: a file can be changed by any program. */
    by: z.string().nullable(),
    revisions: z.array(
      z.object({ revision: z.string(), bytes: z.int(), modifiedAt: z.iso.datetime(), by: z.string().nullable() }),
    ),
  }),
});

export const writeDocument = declareProposal({
  name: "write-document",
  summary: "Replace the whole content of a document: the notes, unless another file is named.",
  method: "PUT",
  path: "/documents/:file",
  personTool: "document_write",
  large: true,
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    content: documentContent,
    revision: z.string().optional().describe("The revision you read: refused when the document has changed since."),
  }),
  output: writtenDocumentView,
});

export const appendDocument = declareProposal({
  name: "append-document",
  summary:
    "Add text to the end of a document, which is made if it is missing: the notes, unless another file is named.",
  method: "POST",
  path: "/documents/:file/append",
  personTool: "document_append",
  large: true,
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    content: documentContent.min(1, "there is nothing to append"),
  }),
  output: writtenDocumentView,
});

export const listSuggestions = declareQuery({
  name: "list-suggestions",
  summary: "List the changes of documents that are suggested and not decided yet, oldest first.",
  method: "GET",
  path: "/suggestions",
  personTool: "suggestion_list",
  input: z.object({
    target: documentTarget,
    file: documentFile.optional().describe("Only those of this document."),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ suggestions: z.array(suggestionView) }),
});

export const suggestDocument = declareProposal({
  name: "suggest-document",
  summary: "Suggest a change of a document to its owner, who accepts or rejects it: the notes, unless a file is named.",
  method: "POST",
  path: "/suggestions",
  personTool: "document_suggest",
  large: true,
  input: z.object({
    target: documentTarget,
    file: documentFile.optional(),
    content: documentContent.min(1, "there is nothing to suggest").describe("The text as it should be."),
    way: z.enum(["replace", "append"]).default("replace").describe("Replace the whole text, or add to its end."),
    note: z.string().max(2000).optional().describe("Why."),
  }),
  output: suggestionView,
});

export const acceptSuggestion = declareProposal({
  name: "accept-suggestion",
  summary: "Accept a suggested change of a document: it is written, and its author is told.",
  method: "POST",
  path: "/suggestions/:id/accept",
  personTool: "suggestion_accept",
  input: z.object(suggestionChoice),
  output: suggestionView,
});

export const rejectSuggestion = declareProposal({
  name: "reject-suggestion",
  summary: "Reject a suggested change of a document: the document stays as it is, and the author is told why.",
  method: "POST",
  path: "/suggestions/:id/reject",
  personTool: "suggestion_reject",
  input: z.object({ ...suggestionChoice, reason: z.string().max(2000).optional().describe("Told to the author.") }),
  output: suggestionView,
});
