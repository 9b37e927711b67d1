import type { FileEffect } from "../kernel/file-effect.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * The documents of one workspace: text that agents and people edit together. Names are relative ("notes.md",
 * "plans/week-1.md"), confined to the workspace, and no two differ only by case. The operations decide who may write;
 * this port only stores the text.
 *
 * All methods: a Fault means that the disk failed and that the document is unchanged.
 */
export interface Documents {
  /** Returns every document, ordered by name. Files a person put there are included; hidden files and links are not. */
  list(): Promise<readonly DocumentInfo[]>;
  /**
   * Refuses names that cannot be used, unknown names (with the names that exist), files that are not regular text
   * files, and files that are too large.
   */
  read(file: string): Promise<Result<Document, Refusal>>;
  /** Returns the content the last `publish` replaced; `not_found` when there was none. */
  readPrevious(file: string): Promise<Result<Document, Refusal>>;
  /** The revisions before the current one that are kept, newest first. */
  history(file: string): Promise<Result<readonly DocumentRevision[], Refusal>>;
  /** Returns the current content or an earlier one by its revision; `not_found` when that is not kept. */
  readRevision(file: string, revision: string): Promise<Result<Document, Refusal>>;
  /**
   * Writes the new content to the disk without changing the document. `publish` changes it. A staged document that is
   * never published is discarded by the caller, or removed after a crash. `effect` gets the revision; a store whose
   * `publish` is part of the transaction does not need it.
   */
  stage(file: string, content: string, effect?: FileEffect<string>): Promise<Result<StagedDocument, Refusal>>;
}

export interface DocumentInfo {
  readonly file: string;
  readonly bytes: number;
  /** Wall time of the last change, in milliseconds. */
  readonly modifiedMs: number;
}

/** A content that a document had. */
export interface DocumentRevision {
  readonly revision: string;
  /** Wall time of the write, in milliseconds. */
  readonly modifiedMs: number;
  readonly bytes: number;
}

export interface Document {
  readonly content: string;
  readonly revision: string;
}

export interface PublishTerms {
  /** The revision the writer has read, or null for no such document; `stale_revision` when the document has another. */
  readonly expectRevision?: string | null;
  /** `conflict` when there is a document of that name. */
  readonly mustNotExist?: boolean;
}

type PublishOutcome = Result<{ readonly revision: string }, Refusal>;

export interface StagedDocument {
  /** The revision the document will have. */
  readonly revision: string;
  /**
   * Checks the terms and replaces the document. It is called inside a transaction. Where documents are files it answers
   * at once, so that no other writer of this process can come between check and write; where they are rows, the
   * transaction keeps others away. The replaced content is stored as the previous revision. May be called once; a
   * refusal also removes the staged content.
   */
  publish(terms?: PublishTerms): PublishOutcome | Promise<PublishOutcome>;
  /** Drops the staged content. Never throws; does nothing after `publish`. */
  discard(): void;
}

/** Passed to every driver that stores documents, so that all have the same names and revisions. */
export interface DocumentRules {
  checkName(file: string): Result<string, Refusal>;
  revisionOf(content: string): string;
  now(): number;
}
