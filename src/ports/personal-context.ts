import type { FileEffect } from "../kernel/file-effect.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { SoulFile } from "./soul-file.ts";

/**
 * The personal context of an agent, the same in every workflow: learned soul, memory, notes, conversations and todos. It
 * is files that a person may read, edit and commit at any time, or the same files as rows of a store that several nodes
 * share (`context: {provider: store}`). Every method works on the current files. Writers of
 * several processes are serialised, and no write is lost. Text that is not part of a change stays as it is. Days are UTC.
 *
 * All methods: a refusal is shown by the caller; a Fault means that the disk failed and nothing changed. Missing files
 * and folders mean an empty context; the first write creates them. With an `effect` a write that is repeated after a
 * crash happens once.
 */
export interface PersonalContext {
  readonly soul: SoulFile;
  readonly memory: Memory;
  readonly notes: Notes;
  readonly conversations: Conversations;
  readonly todo: Todo;
  readonly texts: PersonalTexts;
  /**
   * What keeps the context from being used as a whole: its folder is a file, or the learned soul cannot be read.
   * Synchronous and without reading unchanged files, because every list of agents shows it.
   */
  problems(): readonly PersonalProblem[];
}

export interface PersonalProblem {
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

/** Core: in every prompt. Working: in every prompt while all of it fits. Archive: in a prompt that is about it. */
export const MEMORY_TIERS = ["core", "working", "archive"] as const;
export type MemoryTier = (typeof MEMORY_TIERS)[number];

/** Private: for this agent only. Shareable: replies to other agents may use it. Public: may be shown as it is. */
export const VISIBILITIES = ["private", "shareable", "public"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export type MemoryValue =
  | string
  | number
  | boolean
  | null
  | readonly MemoryValue[]
  | { readonly [key: string]: MemoryValue };

export interface MemoryEntry {
  readonly key: string;
  readonly value: MemoryValue;
  readonly tier: MemoryTier;
  readonly visibility: Visibility;
  /** Agents of the project for whose questions it may be used, whatever its visibility is. Absent: none. */
  readonly sharedWith?: readonly string[];
  /** Who is responsible for it: an agent's name, or the person for entries written by hand. */
  readonly source: string;
  /** Null when a person wrote it, or when it was not recorded. */
  readonly origin: MemoryOrigin | null;
  /** ISO times; null when written by hand. */
  readonly created: string | null;
  readonly updated: string | null;
  readonly id: string | null;
  /** Id or key of the entry that it replaces. That one stays in its file and can be found. */
  readonly replaces?: string;
  /** ISO time since when another entry replaces it, and the key of that entry. Absent: it is still true. */
  readonly validUntil?: string;
  readonly replacedBy?: string;
  /** Name of the file inside the memory folder. */
  readonly file: string;
}

/** The provenance of a memory entry. Recorded by the system, never by the agent. The names are those in the files. */
export interface MemoryOrigin {
  /** Who wrote it. Unchanged when a person becomes the source. */
  readonly by: string;
  readonly run: string | null;
  /** The space of the run. */
  readonly space: string;
  /** The senders in the run's prompt, in order. */
  readonly heard: readonly string[];
  /** The run had read untrusted content: see `guard/provenance/provenance.ts`. */
  readonly outside: boolean;
}

/** A part of the memory that could not be parsed. The rest is still used. */
export interface MemoryProblem {
  /** Name of the file inside the memory folder; "." for the folder itself. */
  readonly file: string;
  /** 1-based; null for the whole file. */
  readonly line: number | null;
  readonly message: string;
}

export interface MemoryListing {
  readonly entries: readonly MemoryEntry[];
  /** The same entries by file. Each list is the same object until its file changes. Absent: all are of one file. */
  readonly files?: readonly (readonly MemoryEntry[])[];
  readonly problems: readonly MemoryProblem[];
}

/** The caller's check of the existing entry. Called under the lock. */
export type MemoryPermit = (existing: MemoryEntry) => Result<unknown, Refusal>;

export interface MemoryMeta {
  /** Who writes. The caller enforces what an agent may set, here and in `permit`. */
  readonly source: string;
  /** Absent when a person writes. */
  readonly origin?: MemoryOrigin;
  /** Absent: as before, or working for a new entry. */
  readonly tier?: MemoryTier;
  /** Absent: as before, or private for a new entry. */
  readonly visibility?: Visibility;
  /** Id or key of an entry that the new one replaces. The caller marks that one with `adjust`. */
  readonly replaces?: string;
  /** Absent: as before, or nobody for a new entry. */
  readonly sharedWith?: readonly string[];
  /** May refuse to replace the existing entry. Not called for a new one. */
  readonly permit?: MemoryPermit;
  readonly effect?: FileEffect<MemoryEntry> | undefined;
}

/** Undefined removes a fact. */
export interface MemoryAdjustment extends Partial<Pick<MemoryEntry, "tier" | "visibility" | "sharedWith" | "source">> {
  readonly validUntil?: string | undefined;
  readonly replacedBy?: string | undefined;
}

export interface Memory {
  /**
   * Returns all entries: files by name with the agent's own files last, entries in file order. A key may occur in several
   * files. Returns the same object while nothing changes.
   */
  list(): Promise<MemoryListing>;
  /** Returns the first entry with this id, or else with this key, in the order of `list`. */
  get(keyOrId: string): Promise<Result<MemoryEntry, Refusal>>;
  /**
   * Replaces the first entry with this key in its file, or adds a new one to the agent's own file. A value that was
   * written by hand stays plain when a person changes it without a tier or visibility. Refuses an invalid key, too much
   * text, and a file that cannot be parsed.
   */
  set(key: string, value: MemoryValue, meta: MemoryMeta): Promise<Result<MemoryEntry, Refusal>>;
  /** Changes the facts about the entry that `get` finds, but not its value or its times. */
  adjust(keyOrId: string, facts: MemoryAdjustment, permit?: MemoryPermit): Promise<Result<MemoryEntry, Refusal>>;
  /**
   * As `adjust`, for many entries: each file is written once, and other work goes on in between. Entries that are gone are
   * skipped. Returns the changed entries.
   */
  adjustAll(entries: readonly MemoryEntry[], facts: MemoryAdjustment): Promise<Result<readonly MemoryEntry[], Refusal>>;
  /** Deletes the entry that `get` finds and returns it. */
  delete(keyOrId: string, options?: Pick<MemoryMeta, "permit" | "effect">): Promise<Result<MemoryEntry, Refusal>>;
  /** Returns the entries whose key or text contains every word of the query, in any case, in the order of `list`. */
  search(query: string): Promise<readonly MemoryEntry[]>;
}

export interface NoteInfo {
  /** File name, to be passed to `read`. */
  readonly name: string;
  /** YYYY-MM-DD from the file name; null when it has none. */
  readonly day: string | null;
  readonly title: string;
  /** It may contain untrusted content. True for a note that does not say where it comes from. */
  readonly outside: boolean;
}

export interface NoteOptions {
  readonly title?: string;
  /** Who writes, and after reading what. The file says it. */
  readonly writer?: Pick<MemoryMeta, "source" | "origin">;
  readonly effect?: FileEffect<NoteInfo> | undefined;
}

/** A note without what its file says about its writer. */
export interface NoteText extends Pick<NoteInfo, "outside"> {
  readonly content: string;
}

export interface Notes {
  /** Writes a new file; never touches an existing one. */
  add(text: string, options?: NoteOptions): Promise<Result<NoteInfo, Refusal>>;
  /** Newest first; undated files last. Unreadable files are left out. */
  list(limit?: number): Promise<Result<readonly NoteInfo[], Refusal>>;
  read(name: string): Promise<Result<NoteText, Refusal>>;
  /** Deletes a note, if it still has this text. */
  remove(name: string, content: string): Promise<Result<NoteText, Refusal>>;
}

export interface ConversationEntry {
  /** YYYY-MM-DD and HH:MM:SS, UTC. */
  readonly day: string;
  readonly time: string;
  readonly sender: string;
  /** Every line end is "\n", and none is at the end. */
  readonly text: string;
}

/** A direct message to record. */
export interface Utterance {
  readonly sender: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Conversations {
  /**
   * Appends messages to the files of their days, in order, and returns a mark: where the files end now. It is resumable:
   * after a crash the caller repeats the call with the mark before these messages (null = none yet); messages that are in
   * a file are not added again, and an incomplete entry is completed. Refuses an invalid sender or an entry that is too
   * long, and then writes nothing.
   */
  append(utterances: readonly Utterance[], mark: string | null): Promise<Result<string | null, Refusal>>;
  /** Returns the entries of a day, oldest first; empty when there are none. */
  read(day: string): Promise<Result<readonly ConversationEntry[], Refusal>>;
  /** Returns the last entries of all days, oldest first. Reads only the end of long files. */
  recent(limit: number): Promise<Result<readonly ConversationEntry[], Refusal>>;
  /**
   * Moves day files to the folder's `archive/` and returns their new names. Moves all of them, or those before the day
   * `older.than` except the newest `older.keep` files of the folder. Deletes nothing.
   */
  archive(older?: { readonly than: string; readonly keep: number }): Promise<Result<readonly string[], Refusal>>;
}

export interface TodoItem {
  /** Position among the open items, from 1; null when done. */
  readonly number: number | null;
  readonly text: string;
  readonly done: boolean;
  /** An agent wrote it after reading untrusted content. The line of the file has a mark, which is not in `text`. */
  readonly outside: boolean;
}

export interface Todo {
  list(): Promise<Result<readonly TodoItem[], Refusal>>;
  add(
    text: string,
    options?: { readonly outside?: boolean; readonly effect?: FileEffect<TodoItem> | undefined },
  ): Promise<Result<TodoItem, Refusal>>;
  /**
   * Ticks the open item with this number. With `text`, the item must have this text: if an edit moved it, the only open
   * item with this text is ticked instead.
   */
  done(
    number: number,
    options?: { readonly text?: string | undefined; readonly effect?: FileEffect<TodoItem> | undefined },
  ): Promise<Result<TodoItem, Refusal>>;
}

/** A piece of personal context, as the search finds it. */
export interface PersonalText {
  readonly kind: "memory" | "note" | "conversation";
  /** The key of a memory, the name of a note, or the day and time of a direct message. */
  readonly key: string;
  readonly text: string;
  readonly tier: MemoryTier;
  readonly visibility: Visibility;
  /** Who wrote it. */
  readonly source: string;
  /** It may contain untrusted content: see `MemoryOrigin`. */
  readonly outside: boolean;
  /** The origin, in words. */
  readonly origin: string | null;
  readonly id: string | null;
  /** Milliseconds since the epoch; null when unknown. */
  readonly at: number | null;
  /** Of a memory: see `MemoryEntry`. */
  readonly replaces?: string;
  readonly validUntil?: string;
  readonly replacedBy?: string;
}

/** The searchable pieces of the files. */
export interface PersonalTexts {
  /** Lists the files (`memory/learned.yaml`), each with a stamp that changes whenever the file does. */
  files(): Promise<readonly { readonly file: string; readonly stamp: string }[]>;
  /** Returns the pieces of a file in order; empty when it is missing or cannot be read. */
  read(file: string): Promise<readonly PersonalText[]>;
}
