import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { SoulFile } from "./soul-file.ts";

/**
 * What an agent carries through every workflow: what it learned about itself, memory, notes, conversations and todos, as
 * files a person may read, edit and commit at any moment. Every method works on the files as they are now. Writers of
 * several processes are serialised and none of their writes is lost. Text nobody asked to change stays as it was. Days
 * are UTC.
 *
 * All methods: refusals are for the caller to show; a Fault means the disk failed and nothing changed. Missing files and
 * folders are an empty context, and are made by the first write.
 */
export interface PersonalContext {
  readonly soul: SoulFile;
  readonly memory: Memory;
  readonly notes: Notes;
  readonly conversations: Conversations;
  readonly todo: Todo;
  readonly texts: PersonalTexts;
}

/** Core: in every prompt. Working: when relevant. Archive: only when searched for. */
export const MEMORY_TIERS = ["core", "working", "archive"] as const;
export type MemoryTier = (typeof MEMORY_TIERS)[number];

/** Private: this agent alone. Shareable: answers to other agents may draw on it. Public: may be shown as it is. */
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
  /** Who stands for it: an agent's name, or the person for everything written by hand. */
  readonly source: string;
  /** Where it came from; null when a person wrote it, or when nobody took it down. */
  readonly origin: MemoryOrigin | null;
  /** ISO times; null when written by hand. */
  readonly created: string | null;
  readonly updated: string | null;
  readonly id: string | null;
  /** Name of the file inside the memory folder. */
  readonly file: string;
}

/** How an agent came to remember something. Taken down by the system, never told by the agent. */
export interface MemoryOrigin {
  /** Who wrote it. It stays when a person takes the entry over. */
  readonly by: string;
  readonly run: string | null;
  /** The space the run worked in. */
  readonly space: string;
  /** Who had spoken in what the run was given, in the order of speaking. */
  readonly heard: readonly string[];
  /** The run had read text that neither the person nor the agent alone stands for: see `guard/provenance/provenance.ts`. */
  readonly outside: boolean;
}

/** A part of the memory that could not be understood. The rest is still used; the file is never written to. */
export interface MemoryProblem {
  /** Name of the file inside the memory folder; "." for the folder itself. */
  readonly file: string;
  /** 1-based; null when the whole file is meant. */
  readonly line: number | null;
  readonly message: string;
}

export interface MemoryListing {
  readonly entries: readonly MemoryEntry[];
  readonly problems: readonly MemoryProblem[];
}

/** The caller's own rule about an entry that is there already; asked while nobody else can write. */
export type MemoryPermit = (existing: MemoryEntry) => Result<unknown, Refusal>;

export interface MemoryMeta {
  /** Who writes. The rule of what an agent may set is the caller's, here and in `permit`. */
  readonly source: string;
  /** Absent when a person writes. */
  readonly origin?: MemoryOrigin;
  /** Absent: as before, or working for a new entry. */
  readonly tier?: MemoryTier;
  /** Absent: as before, or private for a new entry. */
  readonly visibility?: Visibility;
  /** May refuse to replace the existing entry. */
  readonly permit?: MemoryPermit;
}

export interface Memory {
  /**
   * Every entry, files by name with the agent's own last, entries in file order. A key may occur in several files. The
   * same object as before when nothing has changed.
   */
  list(): Promise<MemoryListing>;
  /** The first entry with this id, else with this key, in the order of `list`. */
  get(keyOrId: string): Promise<Result<MemoryEntry, Refusal>>;
  /**
   * Replaces the entry `get(key)` would find, where it stands, or adds a new one to the agent's own file. A value
   * written by hand stays plain when a person changes it without naming a tier or visibility. Refused: unusable keys,
   * too much text, a file that cannot be parsed.
   */
  set(key: string, value: MemoryValue, meta: MemoryMeta): Promise<Result<MemoryEntry, Refusal>>;
  /** Changes what is said about the entry `get` would find, and neither its value nor its times. */
  adjust(
    keyOrId: string,
    facts: Partial<Pick<MemoryEntry, "tier" | "visibility" | "source">>,
  ): Promise<Result<MemoryEntry, Refusal>>;
  /** Forgets the entry `get` would find and returns it. */
  delete(keyOrId: string, permit?: MemoryPermit): Promise<Result<MemoryEntry, Refusal>>;
  /** Entries whose key or text holds every word of the query, whatever the case, in the order of `list`. */
  search(query: string): Promise<readonly MemoryEntry[]>;
}

export interface NoteInfo {
  /** File name, the handle for `read`. */
  readonly name: string;
  /** YYYY-MM-DD from the name; null for a file named otherwise. */
  readonly day: string | null;
  readonly title: string;
}

export interface Notes {
  /** Writes a new file; never touches an existing one. */
  add(text: string, options?: { readonly title?: string }): Promise<Result<NoteInfo, Refusal>>;
  /** Newest first; undated files last. Unreadable files are left out. */
  list(limit?: number): Promise<Result<readonly NoteInfo[], Refusal>>;
  read(name: string): Promise<Result<string, Refusal>>;
}

export interface ConversationEntry {
  /** YYYY-MM-DD and HH:MM:SS, UTC. */
  readonly day: string;
  readonly time: string;
  readonly sender: string;
  /** Every line end is "\n", and none is at the end. */
  readonly text: string;
}

/** Something that was said, to be kept. */
export interface Utterance {
  readonly sender: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Conversations {
  /**
   * Adds what was said to the files of its days, in order, and answers with a mark of where they end now. After a crash
   * it is given the same words with the mark from before them (null = the first ever): what a file has already of them
   * is not added once more, and an entry that was cut short is completed. Refused, with nothing written: a sender that
   * is no name, an entry that is too long.
   */
  append(said: readonly Utterance[], mark: string | null): Promise<Result<string | null, Refusal>>;
  /** All entries of a day, oldest first; none when there is no such day. */
  read(day: string): Promise<Result<readonly ConversationEntry[], Refusal>>;
  /** The last entries over all days, oldest first. Looks at the end of long files only. */
  recent(limit: number): Promise<Result<readonly ConversationEntry[], Refusal>>;
  /**
   * Moves the files of days to the folder's `archive/` and returns their new names: all of them, which starts afresh, or
   * those before a day, of which the newest `keep` stay. Deletes nothing.
   */
  setAside(older?: { readonly than: string; readonly keep: number }): Promise<Result<readonly string[], Refusal>>;
}

export interface TodoItem {
  /** Position among the open items, from 1; null when done. */
  readonly number: number | null;
  readonly text: string;
  readonly done: boolean;
}

export interface Todo {
  list(): Promise<Result<readonly TodoItem[], Refusal>>;
  add(text: string): Promise<Result<TodoItem, Refusal>>;
  /**
   * Ticks the open item with this number. With `text` the item must read so: if another edit moved it, the one open
   * item that does is ticked instead.
   */
  done(number: number, text?: string): Promise<Result<TodoItem, Refusal>>;
}

/** A piece of personal context that can be found by itself. */
export interface PersonalText {
  readonly kind: "memory" | "note" | "conversation";
  /** How to get at it: the key of a memory, the name of a note, the day and time of an utterance. */
  readonly key: string;
  readonly text: string;
  readonly tier: MemoryTier;
  readonly visibility: Visibility;
  /** Who wrote or said it. */
  readonly source: string;
  /** It may repeat what somebody outside said: see `MemoryOrigin`. */
  readonly outside: boolean;
  /** Where it came from, in words. */
  readonly origin: string | null;
  readonly id: string | null;
  /** When, in milliseconds; null when nobody knows. */
  readonly at: number | null;
}

/** Everything in the files that can be searched, piece by piece. */
export interface PersonalTexts {
  /** `memory/learned.yaml`, with a stamp that changes whenever the file does. */
  files(): readonly { readonly file: string; readonly stamp: string }[];
  /** The pieces of one of these files, in its order; none when it is gone or cannot be read. */
  read(file: string): Promise<readonly PersonalText[]>;
}
