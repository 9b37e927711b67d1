import { lstatSync, readFileSync } from "node:fs";
import { writeFileAtomic } from "../atomic-write.ts";
import { fileModeIn, type Folder } from "../confined-folder.ts";
import { openInside } from "../confined-path.ts";

/**
 * The mark of a mirrored channel, in a small file beside it: the space, the last message written, and the state of the
 * channel file after that. A file that does not match its mark is written again.
 */
export interface Mark {
  readonly space: string;
  /** Name of the channel file. */
  readonly name: string;
  /** The last message in the file; 0 and "" for none. */
  readonly seq: number;
  readonly message: string;
  /** The result of `fileState`. */
  readonly state: string;
}

const MARK_FILE = ".mirrored";
const MAX_BYTES = 4096;

/** Undefined when there is no valid mark. */
export function readMark(folder: Folder): Mark | undefined {
  const opened = openInside(folder, MARK_FILE, undefined, { hidden: true });
  if (!opened.ok) return undefined;
  using file = opened.value;
  if (file.size > MAX_BYTES) return undefined;
  return parseMark(readFileSync(file.fd, "utf8"));
}

export async function writeMark(folder: Folder, mark: Mark): Promise<void> {
  await writeFileAtomic(folder.at(MARK_FILE), JSON.stringify(mark), {
    label: MARK_FILE,
    durable: false,
    mode: fileModeIn(folder),
  });
}

/** Returns a value that changes whenever the file does; undefined when there is no regular file of that name. */
export function fileState(folder: Folder, name: string): string | undefined {
  const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true ? `${stats.size}:${stats.mtimeNs}:${stats.ino}` : undefined;
}

function parseMark(text: string): Mark | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMark(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== "object" || value === null) return false;
  const { space, name, seq, message, state } = value as Partial<Record<keyof Mark, unknown>>;
  return [space, name, message, state].every((text) => typeof text === "string") && Number.isSafeInteger(seq);
}
