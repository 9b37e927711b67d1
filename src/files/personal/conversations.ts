import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { ConversationEntry, Conversations, Utterance } from "../../ports/personal-context.ts";
import type { Area, AreaFile } from "./area.ts";
import { dayOf, formatTranscriptEntry, lastEntriesIn, parseTranscript, timeOfDay } from "./transcript.ts";

/**
 * Direct messages, one Markdown file per day. New entries are appended, so that a long file costs no more than a short
 * one.
 */
const MAX_ENTRY_BYTES = 256 * 1024;
export const MAX_DAY_BYTES = 16 * 1024 * 1024;
const TAIL_BYTES = 512 * 1024;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.md$/;

export function createConversations(area: Area): Conversations {
  return {
    append: async (utterances, mark) => {
      for (const utterance of utterances) {
        const checked = checkUtterance(utterance);
        if (!checked.ok) return checked;
      }
      let last = mark;
      for (const [day, ofDay] of Map.groupBy(utterances, ({ at }) => dayOf(at))) {
        const sizeBefore = (identity: string): number | undefined => markedSize(mark, day, identity);
        const appended = await area.append(`${day}.md`, blockOf(ofDay), sizeBefore);
        if (!appended.ok) return appended;
        last = [day, appended.value.identity, appended.value.size].join(" ");
      }
      return ok(last);
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
      const files = await area.files();
      if (!files.ok) return files;
      let entries: ConversationEntry[] = [];
      for (const { name } of dayFiles(files.value).reverse()) {
        if (entries.length >= limit) break;
        const tail = await area.tail(name, TAIL_BYTES);
        if (!tail.ok) continue;
        const last = lastEntriesIn(tail.value, limit - entries.length);
        entries = [...entriesOf(name.slice(0, -".md".length), last), ...entries];
      }
      return ok(limit <= 0 ? [] : entries.slice(-limit));
    },
    archive: (older) =>
      area.archive((files) => {
        const days = dayFiles(files);
        if (older === undefined) return days;
        return days.slice(0, Math.max(0, days.length - older.keep)).filter(({ name }) => name < `${older.than}.md`);
      }),
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

/**
 * A mark is the day of the last entry, the identity of its file and the size of the file. Undefined for another file.
 */
function markedSize(mark: string | null, day: string, identity: string): number | undefined {
  const [markedDay, markedIdentity, size] = mark?.split(" ") ?? [];
  return markedDay === day && markedIdentity === identity ? Number(size) : undefined;
}

function entriesOf(day: string, markdown: string): ConversationEntry[] {
  return parseTranscript(markdown).map((entry) => ({ day, ...entry }));
}

function dayFiles(files: readonly AreaFile[]): AreaFile[] {
  return files.filter(({ name }) => DAY_FILE.test(name));
}
