import { constants, fdatasync, fstatSync, ftruncateSync, write } from "node:fs";
import { promisify } from "node:util";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { ConversationEntry, Conversations, Utterance } from "../../ports/personal-context.ts";
import { renameIfFree } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { foldName, openInside } from "../confined-path.ts";
import type { OpenedFile } from "../confined-path.ts";
import { fileFault } from "../file-fault.ts";
import { flushFolder } from "../flush-folder.ts";
import { visibleFiles } from "./area.ts";
import type { Area, AreaFile } from "./area.ts";
import { missingBytes } from "./resumable-append.ts";
import { dayOf, formatTranscriptEntry, lastEntriesIn, parseTranscript, timeOfDay } from "./transcript.ts";

/**
 * Direct messages, one Markdown file per day. New entries are appended, so that a long file costs no more than a short
 * one. A failed append is rolled back before the lock is released.
 */
const MAX_ENTRY_BYTES = 256 * 1024;
export const MAX_DAY_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 512 * 1024;
export const ARCHIVE = "archive";
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.md$/;

const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);

export function createConversations(area: Area): Conversations {
  return {
    append: async (utterances, mark) => {
      for (const utterance of utterances) {
        const checked = checkUtterance(utterance);
        if (!checked.ok) return checked;
      }
      let last = mark;
      return await area.locked(async (folder) => {
        for (const [day, ofDay] of Map.groupBy(utterances, ({ at }) => dayOf(at))) {
          const name = `${day}.md`;
          const opened = openInside(folder.at("."), name, constants.O_RDWR | constants.O_CREAT);
          if (!opened.ok) return opened;
          using file = opened.value;
          const missing = missingBytes(file, blockOf(ofDay), markedSize(mark, day, file));
          await appendWhole(file, missing, name);
          if (file.size === 0) await flushFolder(folder.at("."));
          last = [day, identityOf(file), file.size + missing.length].join(" ");
        }
        return ok(last);
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
        if (!tail.ok) continue;
        const last = lastEntriesIn(tail.value, limit - entries.length);
        entries = [...entriesOf(name.slice(0, -".md".length), last), ...entries];
      }
      return ok(limit <= 0 ? [] : entries.slice(-limit));
    },
    archive: async (older) => {
      const chosen = (files: readonly AreaFile[]): AreaFile[] => {
        const days = dayFiles(files);
        if (older === undefined) return days;
        return days.slice(0, Math.max(0, days.length - older.keep)).filter(({ name }) => name < `${older.than}.md`);
      };
      const listed = area.files();
      if (!listed.ok) return listed;
      if (older !== undefined && chosen(listed.value).length === 0) return ok([]);
      return await area.locked(async (folder) => {
        const opened = openFolder(folder.at("."), [ARCHIVE], { create: true });
        if (!opened.ok) return opened;
        using archive = opened.value;
        return ok(chosen(visibleFiles(folder)).map(({ name }) => `${ARCHIVE}/${moveTo(folder, archive, name)}`));
      });
    },
  };
}

function checkUtterance({ sender, text, at }: Utterance): Result<undefined, Refusal> {
  if (!/^[^\]\p{Cc}]{1,64}$/u.test(sender)) return refuse("invalid", `"${sender.slice(0, 64)}" is no sender's name`);
  if (blockOf([{ sender, text, at }]).length <= MAX_ENTRY_BYTES) return ok(undefined);
  return refuse("too_large", `a conversation entry is at most ${MAX_ENTRY_BYTES} bytes long`);
}

function blockOf(utterances: readonly Utterance[]): Buffer {
  const entries = utterances.map(({ sender, text, at }) =>
    formatTranscriptEntry({ time: timeOfDay(at), sender, text: text.toWellFormed() }),
  );
  return Buffer.from(entries.join(""));
}

/** A mark is the day of the last entry, the inode of its file and the size of the file. Undefined for another file. */
function markedSize(mark: string | null, day: string, file: OpenedFile): number | undefined {
  const [markedDay, identity, size] = mark?.split(" ") ?? [];
  return markedDay === day && identity === identityOf(file) ? Number(size) : undefined;
}

/** Differs from that of an archived file that had the same name. */
function identityOf({ fd }: OpenedFile): string {
  return String(fstatSync(fd, { bigint: true }).ino);
}

async function appendWhole(file: OpenedFile, data: Buffer, name: string): Promise<void> {
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
