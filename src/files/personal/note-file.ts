import { parse, stringify } from "yaml";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import type { MemoryOrigin, NoteOptions, NoteText } from "../../ports/personal-context.ts";
import { originOf, toMemoryValue } from "./memory-file.ts";

/**
 * A note says at its top who wrote it, and after reading what, in the words of a memory:
 *
 *     ---
 *     source: alice
 *     origin: { by: alice, run: run_1, space: "@review:main", heard: [user], outside: true }
 *     ---
 *
 * The program writes this block, so the same lines in the text of a note are text. A note without it has no recorded
 * writer and may quote anyone.
 */
export interface NoteFile extends NoteText {
  readonly source: string;
  readonly origin: MemoryOrigin | null;
}

const HEAD = /^\uFEFF?---\r?\n([^]*?)\r?\n---[ \t]*\r?\n(?:[ \t]*\r?\n)*/;
const MAX_HEAD_CHARS = 20_000;
const MAX_DEPTH = 4;
/** The source of a note that names none. It is no agent and no person. */
const UNKNOWN = "notes";

export function formatNote(content: string, writer: NoteOptions["writer"]): string {
  if (writer === undefined) return content;
  const { source, origin } = writer;
  return `---\n${stringify({ source, ...(origin === undefined ? {} : { origin }) }, { lineWidth: 0 })}---\n\n${content}`;
}

export function parseNote(file: string): NoteFile {
  const [head = "", fields = ""] = HEAD.exec(file) ?? [];
  const read = head.length > MAX_HEAD_CHARS ? null : readFields(fields);
  if (read === null) return { content: file, source: UNKNOWN, origin: null, outside: true };
  return { content: file.slice(head.length), ...read, outside: isUntrusted(read) };
}

/** Null when the fields do not say who wrote the note: then the block is a part of the text. */
function readFields(fields: string): Pick<NoteFile, "source" | "origin"> | null {
  try {
    const value = toMemoryValue(parse(fields, { maxAliasCount: 0, logLevel: "silent" }), MAX_DEPTH);
    if (typeof value !== "object" || value === null || !("source" in value)) return null;
    return typeof value.source === "string" ? { source: value.source, origin: originOf(value["origin"]) } : null;
  } catch {
    return null;
  }
}
