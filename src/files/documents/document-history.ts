import { lstatSync, readFileSync, renameSync, rmSync } from "node:fs";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Document, DocumentRevision } from "../../ports/documents.ts";
import { MAX_DOCUMENT_BYTES } from "../../domain/workspace/document-size.ts";
import { namesIn, openFolder, type Folder } from "../confined-folder.ts";
import { readInside } from "../confined-path.ts";
import { errnoOf } from "../file-fault.ts";
import { PREVIOUS } from "./previous-folder.ts";
import { revisionOf } from "./revision.ts";

/**
 * The revisions of a document before the previous one, as files: `.history/notes.md/TIME-REVISION`. The time is that of
 * the write, in milliseconds.
 */
const HISTORY = ".history";
const MOST_KEPT = 50;
const TIME_DIGITS = 15;
const ENTRY = /^(\d{15})-([0-9a-f]{16})$/;

/**
 * Moves the previous revision into the history before another one takes its place. Ignores file errors, because the new
 * content is already published: then an older revision is missing.
 */
export function keepEarlier(base: Folder, file: string, path: string): void {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile() || stats.size > MAX_DOCUMENT_BYTES) return;
    const opened = openFolder(base, [HISTORY, ...file.split("/")], { create: true });
    if (!opened.ok) return;
    using folder = opened.value;
    const time = String(Math.round(stats.mtimeMs)).padStart(TIME_DIGITS, "0");
    renameSync(path, folder.at(`${time}-${revisionOf(readFileSync(path))}`));
    for (const name of entriesIn(folder).slice(MOST_KEPT)) rmSync(folder.at(name), { force: true });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** Returns the earlier revisions of a document, newest first: the previous one, then the history. */
export async function listEarlier(base: Folder, file: string): Promise<DocumentRevision[]> {
  const path = `${PREVIOUS}/${file}`;
  const previous = await readEarlier(base, path);
  const stats = lstatSync(base.at(path), { throwIfNoEntry: false });
  const newest = previous.ok && stats !== undefined ? [describe(previous.value, stats.mtimeMs)] : [];
  const opened = openFolder(base, [HISTORY, ...file.split("/")]);
  if (!opened.ok) return newest;
  using folder = opened.value;
  const older = entriesIn(folder).flatMap((name): DocumentRevision[] => {
    const [, time = "", revision = ""] = ENTRY.exec(name) ?? [];
    const entry = lstatSync(folder.at(name), { throwIfNoEntry: false });
    return entry === undefined ? [] : [{ revision, modifiedMs: Number(time), bytes: entry.size }];
  });
  return [...newest, ...older];
}

/** Returns the content of an earlier revision; undefined when it is not kept. */
export async function readRevision(base: Folder, file: string, revision: string): Promise<Document | undefined> {
  const previous = await readEarlier(base, `${PREVIOUS}/${file}`);
  if (previous.ok && previous.value.revision === revision) return previous.value;
  const opened = openFolder(base, [HISTORY, ...file.split("/")]);
  if (!opened.ok) return undefined;
  using folder = opened.value;
  const name = entriesIn(folder).find((each) => each.endsWith(`-${revision}`));
  if (name === undefined) return undefined;
  const read = await readEarlier(base, `${HISTORY}/${file}/${name}`);
  return read.ok ? read.value : undefined;
}

/** Newest first. */
function entriesIn(folder: Folder): string[] {
  return namesIn(folder, HISTORY)
    .filter((name) => ENTRY.test(name))
    .toSorted()
    .toReversed();
}

async function readEarlier(base: Folder, path: string): Promise<Result<Document, Refusal>> {
  const content = await readInside(base, path, { maxBytes: MAX_DOCUMENT_BYTES }, { hidden: true });
  return content.ok ? ok({ content: content.value, revision: revisionOf(content.value) }) : content;
}

function describe({ content, revision }: Document, modifiedMs: number): DocumentRevision {
  return { revision, modifiedMs: Math.round(modifiedMs), bytes: Buffer.byteLength(content) };
}
