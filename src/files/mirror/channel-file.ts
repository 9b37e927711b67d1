import { constants, writeSync } from "node:fs";
import type { MessageRecord } from "../../ports/store/message.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import type { Folder } from "../confined-folder.ts";
import { openInside } from "../confined-path.ts";
import { formatTranscriptEntry, timeOfDay } from "../personal/transcript.ts";
import { fileState, readMark, writeMark, type Mark } from "./mirror-mark.ts";
import { setAside } from "./back-up-existing.ts";

/**
 * The Markdown file that shows a channel. As long as it is what its mark says, new messages are appended; anything else
 * (a person's edit, a crash between the two writes, a deleted file, another database) makes it be written again from
 * the store.
 */
export interface ChannelFile {
  readonly folder: Folder;
  readonly name: string;
  readonly space: string;
  /** Messages after a sequence number, oldest first, at most a page at a time. */
  messagesAfter(seq: number): Promise<readonly MessageRecord[]>;
}

export async function updateChannelFile(channel: ChannelFile): Promise<void> {
  let mark = (await findMark(channel)) ?? (await startAfresh(channel));
  for (;;) {
    const page = await channel.messagesAfter(mark.seq);
    const last = page.at(-1);
    if (last === undefined) return;
    const state = append(channel, mark.state, page.map(entryOf).join(""));
    if (state === undefined) {
      mark = await startAfresh(channel);
      continue;
    }
    mark = { ...mark, seq: last.seq, message: last.id, state };
    await writeMark(channel.folder, mark);
  }
}

/** The mark, if the file and the store are still what it says. */
async function findMark({ folder, name, space, messagesAfter }: ChannelFile): Promise<Mark | undefined> {
  const mark = readMark(folder);
  if (mark === undefined || mark.space !== space || mark.name !== name) return undefined;
  if (mark.state !== fileState(folder, name)) return undefined;
  if (mark.seq === 0) return mark;
  const [last] = await messagesAfter(mark.seq - 1);
  return last?.id === mark.message ? mark : undefined;
}

async function startAfresh({ folder, name, space }: ChannelFile): Promise<Mark> {
  if (readMark(folder)?.name !== name) setAside(folder, name);
  await writeFileAtomic(folder.at(name), "", { label: name, durable: false });
  const mark = { space, name, seq: 0, message: "", state: fileState(folder, name) ?? "" };
  await writeMark(folder, mark);
  return mark;
}

/** The state after it, or undefined when the file was not in the expected one: then nothing was written. */
function append({ folder, name }: ChannelFile, expected: string, text: string): string | undefined {
  const opened = openInside(folder.at("."), name, constants.O_WRONLY | constants.O_APPEND);
  if (!opened.ok) return undefined;
  {
    using file = opened.value;
    if (fileState(folder, name) !== expected) return undefined;
    const data = Buffer.from(text);
    for (let written = 0; written < data.length;) written += writeSync(file.fd, data, written);
  }
  // Only once it is closed: some file systems settle the time of a change with that.
  return fileState(folder, name);
}

/** Characters that move a terminal's cursor would let a message rewrite what stands above it; they are shown instead. */
const CONTROL = /(?![\n\r\t\v\f\u0085])\p{Cc}/gu;

function entryOf({ createdAt, sender, addressee, body }: MessageRecord): string {
  const text = (addressee === null ? body : `(to ${addressee}) ${body}`).replace(CONTROL, pictureOf);
  return formatTranscriptEntry({ time: timeOfDay(createdAt), sender, text });
}

function pictureOf(control: string): string {
  const code = control.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\uFFFD";
}
