import { z } from "zod";

/** Documents of a workspace as every face shows them. */
export const documentInfoView = z.object({
  file: z.string(),
  bytes: z.int(),
  modifiedAt: z.iso.datetime(),
});
export type DocumentInfoView = z.output<typeof documentInfoView>;

export const documentListView = z.object({
  space: z.string(),
  /** The document that is meant when no file is named. */
  defaultFile: z.string(),
  /** The only agent that may write; null = everyone may, or nobody yet while `electing`. */
  owner: z.string().nullable(),
  electing: z.boolean(),
  documents: z.array(documentInfoView),
});

export const documentView = z.object({
  space: z.string(),
  file: z.string(),
  content: z.string(),
  /** Pass it with a write to be refused when somebody else wrote in between. */
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
