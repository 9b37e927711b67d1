import { constants, writeSync } from "node:fs";
import type { MessageRecord } from "../../ports/store/message.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { fileModeIn, type Folder } from "../confined-folder.ts";
import { openInside } from "../confined-path.ts";
import { formatTranscriptEntry, timeOfDay } from "../personal/transcript.ts";
import { backUpExisting } from "./back-up-existing.ts";
import { fileState, readMark, writeMark, type Mark } from "./mirror-mark.ts";

/**
 * The Markdown file of a channel. While it matches its mark, new messages are appended. Otherwise (a person's edit, a
 * crash between the two writes, a deleted file, another database) it is written again from the store.
 */
export interface ChannelFile {
  readonly folder: Folder;
  readonly name: string;
  readonly space: string;
  /** Returns one page of the messages after a sequence number, oldest first. */
  messagesAfter(seq: number): Promise<readonly MessageRecord[]>;
}

export async function updateChannelFile(channel: ChannelFile): Promise<void> {
  let mark = (await currentMark(channel)) ?? (await restart(channel));
  for (;;) {
    const page = await channel.messagesAfter(mark.seq);
    const last = page.at(-1);
    if (last === undefined) return;
    const state = append(channel, mark.state, page.map(entryOf).join(""));
    if (state === undefined) {
      mark = await restart(channel);
      continue;
    }
    mark = { ...mark, seq: last.seq, message: last.id, state };
    await writeMark(channel.folder, mark);
  }
}

/** Returns the mark if the file and the store still match it. */
async function currentMark({ folder, name, space, messagesAfter }: ChannelFile): Promise<Mark | undefined> {
  const mark = readMark(folder);
  if (mark === undefined || mark.space !== space || mark.name !== name) return undefined;
  if (mark.state !== fileState(folder, name)) return undefined;
  if (mark.seq === 0) return mark;
  const [last] = await messagesAfter(mark.seq - 1);
  return last?.id === mark.message ? mark : undefined;
}

async function restart({ folder, name, space }: ChannelFile): Promise<Mark> {
  if (readMark(folder)?.name !== name) backUpExisting(folder, name);
  await writeFileAtomic(folder.at(name), "", { label: name, durable: false, mode: fileModeIn(folder) });
  const mark = { space, name, seq: 0, message: "", state: fileState(folder, name) ?? "" };
  await writeMark(folder, mark);
  return mark;
}

/** Returns the new file state. Returns undefined, and writes nothing, when the file is not in the expected state. */
function append({ folder, name }: ChannelFile, expected: string, text: string): string | undefined {
  const opened = openInside(folder, name, constants.O_WRONLY | constants.O_APPEND);
  if (!opened.ok) return undefined;
  {
    using file = opened.value;
    if (fileState(folder, name) !== expected) return undefined;
    const data = Buffer.from(text);
    for (let written = 0; written < data.length;) written += writeSync(file.fd, data, written);
  }
  // Read after closing, because some file systems set the time of the change only then.
  return fileState(folder, name);
}

/** Control characters are replaced, because a message could move a terminal's cursor and overwrite other lines. */
const CONTROL = /(?![\n\r\t\v\f\u0085])\p{Cc}/gu;

function entryOf({ createdAt, sender, addressee, body }: MessageRecord): string {
  const text = (addressee === null ? body : `(to ${addressee}) ${body}`).replace(CONTROL, pictureOf);
  return formatTranscriptEntry({ time: timeOfDay(createdAt), sender, text });
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\uFFFD";
}
