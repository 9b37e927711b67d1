import type { Clock } from "../../kernel/clock.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { NoteInfo, Notes } from "../../ports/personal-context.ts";
import { checkFileName } from "../confined-path.ts";
import { numberedNames } from "./area.ts";
import type { Area, AreaFile } from "./area.ts";
import { formatNote, parseNote } from "./note-file.ts";
import { dayOf } from "./transcript.ts";

/** `notes/YYYY-MM-DD-slug.md`, one file per note. A written note is never changed here. */
const MAX_BYTES = 256 * 1024;
const MAX_SLUG = 48;
const DEFAULT_LIMIT = 20;

export function createNotes(area: Area, clock: Clock): Notes {
  return {
    add: async (input, options = {}) => {
      const text = input.toWellFormed().replace(/\r\n?/g, "\n").trim();
      const title = oneLine(options.title ?? "");
      if (text === "") return refuse("invalid", "a note needs some text");
      const { writer, effect } = options;
      const content = formatNote(title === "" ? `${text}\n` : `# ${title}\n\n${text}\n`, writer);
      if (Buffer.byteLength(content) > MAX_BYTES) {
        return refuse("too_large", `a note is at most ${MAX_BYTES} bytes long`, {
          hint: "split it into several notes",
        });
      }
      const day = dayOf(clock.now());
      const stem = `${day}-${slugOf(title === "" ? titleOf(text) : title)}`;
      return await area.add(numberedNames(`${stem}.md`), content, (name) => infoOf(name, content), effect);
    },
    list: async (limit = DEFAULT_LIMIT) => {
      const files = await area.files();
      if (!files.ok) return files;
      const notes: NoteInfo[] = [];
      for (const name of newestFirst(files.value)) {
        if (notes.length >= limit) break;
        const text = await area.read(name, MAX_BYTES);
        if (text.ok) notes.push(infoOf(name, text.value));
      }
      return ok(notes);
    },
    read: async (name) => {
      const checked = checkFileName(name, { flat: true });
      if (!checked.ok) return checked;
      const text = await area.read(checked.value, MAX_BYTES);
      if (!text.ok) return text;
      const { content, outside } = parseNote(text.value);
      return ok({ content, outside });
    },
    remove: async (name, expected) => {
      const checked = checkFileName(name, { flat: true });
      if (!checked.ok) return checked;
      return await area.remove(checked.value, MAX_BYTES, (file) => {
        const { content, outside } = parseNote(file);
        if (content.trim() === expected.trim()) return ok({ content, outside });
        return refuse("conflict", `the note ${name} was changed meanwhile`, { hint: "delete the file yourself" });
      });
    },
  };
}

function infoOf(name: string, file: string): NoteInfo {
  const { content, outside } = parseNote(file);
  return { name, day: dayIn(name), title: titleOf(content), outside };
}

/** By the day in the name, then by the time of writing, which a fresh Git clone does not preserve. */
function newestFirst(files: readonly AreaFile[]): string[] {
  return files
    .filter(({ name }) => name.endsWith(".md"))
    .sort((a, b) => compareDays(dayIn(a.name), dayIn(b.name)) || b.modifiedMs - a.modifiedMs)
    .map(({ name }) => name);
}

function compareDays(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return a === null || (b !== null && a < b) ? 1 : -1;
}

function dayIn(name: string): string | null {
  return /^(\d{4}-\d{2}-\d{2})(?=[-.])/.exec(name)?.[1] ?? null;
}

/** Returns the first line with text, without its Markdown marks. */
function titleOf(text: string): string {
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const title = oneLine(line.replace(/^\s*(#{1,6}|[-*+>]|\d+[.)])\s+/, ""));
    if (title !== "") return title.length > 120 ? `${title.slice(0, 119).toWellFormed()}…` : title;
  }
  return "";
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Returns letters and digits of any script, joined by hyphens: never a path, never hidden, never empty. */
function slugOf(text: string): string {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word : `${slug}-${word}`;
    if (longer.length > MAX_SLUG) break;
    slug = longer;
  }
  if (slug !== "") return slug;
  const [first] = words;
  return first === undefined ? "note" : first.slice(0, MAX_SLUG).toWellFormed().replaceAll("\uFFFD", "");
}
