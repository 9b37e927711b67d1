import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * The documents of one workspace: text that agents and people work on together. Names are relative ("notes.md",
 * "plans/week-1.md"), confined to the workspace, and never differ from another only by case. Who may write is decided
 * by the operations; this port only keeps the text.
 *
 * All methods: a Fault means that the disk failed and that the document is as it was.
 */
export interface Documents {
  /** Every document, by name. Documents a person put there are included; hidden files and links are not. */
  list(): Promise<readonly DocumentInfo[]>;
  /**
   * Refused: unusable names, unknown ones (with the names that exist), what is not a regular text file, what is too
   * large.
   */
  read(file: string): Promise<Result<Document, Refusal>>;
  /** The content the last `publish` replaced; `not_found` when there was none. */
  readPrevious(file: string): Promise<Result<Document, Refusal>>;
  /**
   * Brings the new content to the disk without showing it to anybody. Nothing is promised about the document until
   * `publish`; a staged document that is never published is discarded by its maker, or swept after a crash.
   */
  stage(file: string, content: string): Promise<Result<StagedDocument, Refusal>>;
}

export interface DocumentInfo {
  readonly file: string;
  readonly bytes: number;
  /** Wall time of the last change, in milliseconds. */
  readonly modifiedMs: number;
}

export interface Document {
  readonly content: string;
  readonly revision: string;
}

export interface PublishTerms {
  /** The revision the writer had read, or null when there was no such document; anything else is `stale_revision`. */
  readonly expectRevision?: string | null;
  /** A document of that name is a `conflict`. */
  readonly mustNotExist?: boolean;
}

export interface StagedDocument {
  /** Revision the document will have. */
  readonly revision: string;
  /**
   * Checks the terms and gives the content its name, at once and synchronously: it is called inside a transaction, and
   * no other writer of this process can come between check and write. The content before is kept as the previous
   * revision. May be called once; after a refusal the staged content is gone too.
   */
  publish(terms?: PublishTerms): Result<{ readonly revision: string }, Refusal>;
  /** Gives up the content. Never throws; harmless after `publish`. */
  discard(): void;
}
