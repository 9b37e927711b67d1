import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import type { MessageRecord } from "../../ports/store/message.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import type { Folder } from "../confined-folder.ts";
import { formatTranscriptEntry, timeOfDay } from "../personal/transcript.ts";

/**
 * The Markdown file that shows a channel. A small file beside it remembers up to which message it was written and how
 * long it was then. As long as that length is what is on disk, new messages are appended; anything else (a person's
 * edit, a crash between the two writes, a deleted file) makes it be written again from the store.
 */
export interface ChannelFile {
  readonly folder: Folder;
  readonly name: string;
  /** Messages after a sequence number, oldest first, at most a page at a time. */
  messagesAfter(seq: number): Promise<readonly MessageRecord[]>;
}

interface Mark {
  readonly seq: number;
  readonly bytes: number;
}

const MARK_FILE = ".mirrored";

export async function updateChannelFile(channel: ChannelFile): Promise<void> {
  const mark = readMark(channel.folder);
  const current = mark !== undefined && sizeOf(channel) === mark.bytes ? mark : await startAfresh(channel);
  let { seq, bytes } = current;
  for (let page = await channel.messagesAfter(seq); page.length > 0; page = await channel.messagesAfter(seq)) {
    bytes += append(channel, page.map(entryOf).join(""));
    seq = page.at(-1)?.seq ?? seq;
    await writeMark(channel.folder, { seq, bytes });
  }
}

function entryOf({ createdAt, sender, addressee, body }: MessageRecord): string {
  const text = addressee === null ? body : `(to ${addressee}) ${body}`;
  return formatTranscriptEntry({ time: timeOfDay(createdAt), sender, text });
}

async function startAfresh({ folder, name }: ChannelFile): Promise<Mark> {
  const mark = { seq: 0, bytes: 0 };
  await writeFileAtomic(folder.at(name), "", { label: name });
  await writeMark(folder, mark);
  return mark;
}

function append({ folder, name }: ChannelFile, text: string): number {
  const fd = openSync(folder.at(name), constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
  try {
    const data = Buffer.from(text);
    for (let written = 0; written < data.length; ) written += writeSync(fd, data, written);
    return data.length;
  } finally {
    closeSync(fd);
  }
}

function sizeOf({ folder, name }: ChannelFile): number | undefined {
  try {
    const fd = openSync(folder.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      return stats.isFile() ? stats.size : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function readMark(folder: Folder): Mark | undefined {
  try {
    const [seq, bytes] = readFileSync(folder.at(MARK_FILE), "utf8").split(" ").map(Number);
    return Number.isSafeInteger(seq) && Number.isSafeInteger(bytes) ? { seq: seq ?? 0, bytes: bytes ?? 0 } : undefined;
  } catch {
    return undefined;
  }
}

async function writeMark(folder: Folder, { seq, bytes }: Mark): Promise<void> {
  await writeFileAtomic(folder.at(MARK_FILE), `${seq} ${bytes}`, { label: MARK_FILE });
}
