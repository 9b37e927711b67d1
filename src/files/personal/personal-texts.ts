import { PERSON } from "../../domain/message/message.ts";
import { isUntrusted, originText } from "../../domain/recall/untrusted-content.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import type { Memory, MemoryEntry, PersonalText, PersonalTexts } from "../../ports/personal-context.ts";
import { ARCHIVE } from "./area.ts";
import type { Area } from "./area.ts";
import { MAX_DAY_BYTES } from "./conversations.ts";
import { parseNote } from "./note-file.ts";
import { parseTranscript } from "./transcript.ts";

/**
 * Reads the personal context as pieces for the search index: each memory entry, each part of a note, each entry of a
 * conversation, archived ones included.
 */
const FOLDERS = [["memory"], ["notes"], ["conversations"], ["conversations", ARCHIVE]] as const;
const FILE_NAMES = { memory: /\.ya?ml$/, notes: /\.md$/, conversations: /^\d{4}-\d{2}-\d{2}[^/]*\.md$/ } as const;
const NOTE_BYTES = 256 * 1024;
const PART_CHARS = 1000;
const MAX_CHARS = 8000;

export function createPersonalTexts(memory: Memory, area: (...path: readonly string[]) => Area): PersonalTexts {
  const areas = FOLDERS.map((path) => ({ path, area: area(...path) }));
  return {
    async files() {
      const found = await Promise.all(
        areas.map(async ({ path, area: folder }) => {
          const files = await folder.files();
          const matching = (files.ok ? files.value : []).filter(({ name }) => FILE_NAMES[path[0]].test(name));
          return matching.map(({ name, stamp }) => ({ file: [...path, name].join("/"), stamp }));
        }),
      );
      return found.flat();
    },
    async read(file) {
      const at = file.lastIndexOf("/");
      const name = file.slice(at + 1);
      const found = areas.find(({ path }) => path.join("/") === file.slice(0, at));
      if (found === undefined) return [];
      if (found.path[0] === "memory") {
        const { files = [] } = await memory.list();
        return (files.find(([first]) => first?.file === name) ?? []).map(memoryText);
      }
      const isNote = found.path[0] === "notes";
      const text = await found.area.read(name, isNote ? NOTE_BYTES : MAX_DAY_BYTES);
      if (!text.ok) return [];
      return isNote ? noteTexts(name, text.value) : conversationTexts(name, text.value);
    },
  };
}

function memoryText(entry: MemoryEntry): PersonalText {
  const { key, tier, visibility, source, created, updated, id, replaces, validUntil, replacedBy } = entry;
  return {
    kind: "memory",
    key,
    text: valueText(entry),
    tier,
    visibility,
    source,
    outside: isUntrusted(entry),
    origin: originText(entry),
    id,
    at: timeOf(updated ?? created ?? ""),
    ...(replaces === undefined ? {} : { replaces }),
    ...(validUntil === undefined ? {} : { validUntil }),
    ...(replacedBy === undefined ? {} : { replacedBy }),
  };
}

function noteTexts(name: string, file: string): PersonalText[] {
  const { content, source, origin, outside } = parseNote(file);
  const from = originText({ source, origin });
  const at = timeOf(name.slice(0, "YYYY-MM-DD".length));
  const note = { kind: "note", key: name, tier: "archive", visibility: "private", id: null, at } as const;
  return inParts(content).map((text) => ({
    ...note,
    text,
    source,
    outside,
    origin: from === null ? `in the note ${name}` : `in the note ${name}, written ${from}`,
  }));
}

function conversationTexts(name: string, content: string): PersonalText[] {
  const day = name.slice(0, "YYYY-MM-DD".length);
  return parseTranscript(content).map(({ time, sender, text }) => ({
    kind: "conversation",
    key: `${day} ${time}`,
    text: text.slice(0, MAX_CHARS).toWellFormed(),
    tier: "archive",
    visibility: "private",
    source: sender,
    outside: sender !== PERSON,
    origin: `said by ${sender} in direct messages`,
    id: null,
    at: timeOf(`${day}T${time}Z`),
  }));
}

/** Groups paragraphs into parts of about `PART_CHARS`. */
function inParts(content: string): string[] {
  const parts: string[] = [];
  for (const paragraph of content.split(/\n\s*\n/)) {
    const text = paragraph.trim();
    const last = parts.at(-1);
    if (text === "") continue;
    if (last !== undefined && last.length + text.length < PART_CHARS) parts[parts.length - 1] = `${last}\n\n${text}`;
    else parts.push(text.slice(0, MAX_CHARS).toWellFormed());
  }
  return parts;
}

function timeOf(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
