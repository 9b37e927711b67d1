import { constants, fdatasync, ftruncateSync, readSync, write } from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "../../kernel/clock.ts";
import { ok } from "../../kernel/result.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { ConversationEntry, Conversations } from "../../ports/personal-context.ts";
import { renameIfFree, syncFolder } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { foldName, openInside } from "../confined-path.ts";
import type { OpenedFile } from "../confined-path.ts";
import { fileFault } from "../file-fault.ts";
import { visibleFiles } from "./area.ts";
import type { Area, AreaFile } from "./area.ts";
import { dayOf, formatTranscriptEntry, parseTranscript, timeOfDay } from "./transcript.ts";

/**
 * Direct messages as one Markdown file a day. A day grows by appending, so that a long one costs no more than a short
 * one; a failed append is taken back before anybody else may write.
 */
const MAX_ENTRY_BYTES = 256 * 1024;
const MAX_DAY_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 512 * 1024;
const ARCHIVE = "archive";
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.md$/;

const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);

export function createConversations(area: Area, clock: Clock): Conversations {
  return {
    append: async (sender, given, at = clock.now()) => {
      if (!/^[^\]\p{Cc}]{1,64}$/u.test(sender))
        return refuse("invalid", `"${sender.slice(0, 64)}" is no sender's name`);
      const entry = { day: dayOf(at), time: timeOfDay(at), sender, text: given.toWellFormed() };
      const block = Buffer.from(formatTranscriptEntry(entry));
      if (block.length > MAX_ENTRY_BYTES) {
        return refuse("too_large", `a conversation entry is at most ${MAX_ENTRY_BYTES} bytes long`);
      }
      return await area.locked(async (folder) => {
        const name = `${entry.day}.md`;
        const opened = openInside(folder.at("."), name, constants.O_RDWR | constants.O_CREAT);
        if (!opened.ok) return opened;
        using file = opened.value;
        await appendWhole(file, block, name);
        if (file.size === 0) syncFolder(folder.at("."));
        return ok(entry);
      });
    },
    read: async (day) => {
      if (!DAY_FILE.test(`${day}.md`)) {
        return refuse("invalid", `"${day.slice(0, 40)}" is not a day`, { hint: "write it as YYYY-MM-DD" });
      }
      const text = await area.read(`${day}.md`, MAX_DAY_BYTES);
      if (!text.ok) return text.error.code === "not_found" ? ok([]) : text;
      return ok(entriesOf(day, text.value));
    },
    recent: async (limit) => {
      const files = area.files();
      if (!files.ok) return files;
      let entries: ConversationEntry[] = [];
      for (const { name } of dayFiles(files.value).reverse()) {
        if (entries.length >= limit) break;
        const tail = area.tail(name, TAIL_BYTES);
        if (tail.ok) entries = [...entriesOf(name.slice(0, -".md".length), tail.value), ...entries];
      }
      return ok(limit <= 0 ? [] : entries.slice(-limit));
    },
    clear: async () => {
      return await area.locked(async (folder) => {
        const opened = openFolder(folder.at("."), [ARCHIVE], { create: true });
        if (!opened.ok) return opened;
        using archive = opened.value;
        return ok(dayFiles(visibleFiles(folder)).map(({ name }) => `${ARCHIVE}/${moveTo(folder, archive, name)}`));
      });
    },
  };
}

async function appendWhole(file: OpenedFile, block: Buffer, name: string): Promise<void> {
  const data = Buffer.concat([Buffer.from(gapBefore(file)), block]);
  try {
    for (let done = 0; done < data.length;) {
      const { bytesWritten } = await writeAsync(file.fd, data, done, data.length - done, file.size + done);
      done += bytesWritten;
    }
    await syncAsync(file.fd);
  } catch (error) {
    ftruncateSync(file.fd, file.size);
    throw fileFault("write", name, error);
  }
}

/** What is missing to a blank line before the next heading, whatever a person left at the end of the file. */
function gapBefore(file: OpenedFile): string {
  if (file.size === 0) return "";
  const end = Buffer.alloc(Math.min(4, file.size));
  readSync(file.fd, end, 0, end.length, file.size - end.length);
  const text = end.toString("latin1");
  return /\n\r?\n$/.test(text) ? "" : text.endsWith("\n") ? "\n" : "\n\n";
}

function entriesOf(day: string, markdown: string): ConversationEntry[] {
  return parseTranscript(markdown).map((entry) => ({ day, ...entry }));
}

function dayFiles(files: readonly AreaFile[]): AreaFile[] {
  return files.filter(({ name }) => DAY_FILE.test(name));
}

function moveTo(folder: Folder, archive: Folder, name: string): string {
  const taken = new Set(visibleFiles(archive).map((file) => foldName(file.name)));
  for (let copy = 1; ; copy += 1) {
    const target = copy === 1 ? name : name.replace(/\.md$/, `-${copy}.md`);
    if (taken.has(foldName(target))) continue;
    try {
      if (renameIfFree(folder.at(name), archive.at(target))) return target;
    } catch (error) {
      throw fileFault("write", name, error);
    }
  }
}
