import { UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { Todo, TodoItem } from "../../ports/personal-context.ts";
import type { Area } from "./area.ts";

/**
 * `todo/index.md`: Markdown with check boxes, written by people and agents. A write changes only the box of the ticked
 * item or adds one line. An item that comes from untrusted content begins with a mark: there no text can hide it, and a
 * person who rewords the item keeps it.
 */
const FILE = "index.md";
const MAX_BYTES = 512 * 1024;
const MAX_TEXT_BYTES = 2000;
const ITEM = /^(\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])(\][ \t]+)(.*?)[ \t\r]*$/;
const MARK = `(${UNTRUSTED_MARK})`;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

interface FoundItem extends TodoItem {
  /** Index of the line, as split by "\n". */
  readonly line: number;
}

interface Checklist {
  readonly lines: readonly string[];
  readonly items: readonly FoundItem[];
  /** Line of a code block that is never closed, from 1. */
  readonly openFence: number | null;
}

export function createTodo(area: Area): Todo {
  return {
    list: async () => {
      const text = await area.read(FILE, MAX_BYTES);
      if (!text.ok) return text.error.code === "not_found" ? ok([]) : text;
      return ok(parseChecklist(text.value).items.map(withoutLine));
    },
    add: async (input, { outside = false, effect } = {}) => {
      const text = input
        .toWellFormed()
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim();
      if (text === "") return refuse("invalid", "a todo needs some text");
      if (Buffer.byteLength(text) > MAX_TEXT_BYTES) {
        return refuse("too_large", `a todo is at most ${MAX_TEXT_BYTES} bytes long`, {
          hint: "write the details into a note and name it in the todo",
        });
      }
      return await area.edit(FILE, MAX_BYTES, (current) => addItem(current ?? "", text, outside), effect);
    },
    done: async (number, { text, effect } = {}) =>
      await area.edit(FILE, MAX_BYTES, (current) => tickItem(current ?? "", number, text), effect),
  };
}

function addItem(markdown: string, text: string, outside: boolean): Result<{ text: string; value: TodoItem }, Refusal> {
  const { items, openFence } = parseChecklist(markdown);
  if (openFence !== null) {
    return refuse("conflict", `todo/${FILE}:${openFence} opens a code block that is never closed`, {
      hint: "close it by hand; an item added after it would not be one",
    });
  }
  const eol = markdown.includes("\r\n") ? "\r\n" : "\n";
  const gap = markdown === "" || markdown.endsWith("\n") ? "" : eol;
  const number = items.filter((item) => !item.done).length + 1;
  const written = outside ? `${MARK} ${text}` : text;
  return ok({
    text: `${markdown}${gap}- [ ] ${written}${eol}`,
    value: { number, ...readMark(written), done: false },
  });
}

function tickItem(
  markdown: string,
  number: number,
  text: string | undefined,
): Result<{ text: string; value: TodoItem }, Refusal> {
  const { lines, items } = parseChecklist(markdown);
  const open = items.filter((item) => !item.done);
  const numbered = open.find((item) => item.number === number);
  const alike = open.filter((item) => item.text === text);
  const item = text === undefined || numbered?.text === text ? numbered : alike.length === 1 ? alike[0] : undefined;
  if (item === undefined) {
    const range =
      open.length === 0
        ? "Nothing is open."
        : open.length === 1
          ? "The only open one is 1."
          : `The open ones are 1 to ${open.length}.`;
    return text === undefined
      ? refuse("not_found", `There is no open todo ${number}. ${range}`, {
          hint: "Take the number from the list of todos.",
        })
      : refuse("conflict", `Todo ${number} no longer reads "${text}".`, { hint: "List the todos again." });
  }
  const ticked = lines.map((line, index) => (index === item.line ? line.replace(ITEM, tickBox) : line));
  return ok({ text: ticked.join("\n"), value: { ...withoutLine(item), number: null, done: true } });
}

/** Changes only the box of the line. */
function tickBox(line: string, before: string): string {
  return `${before}x${line.slice(before.length + 1)}`;
}

function parseChecklist(markdown: string): Checklist {
  const lines = markdown.split("\n");
  const items: FoundItem[] = [];
  let fence: { readonly mark: string; readonly line: number } | null = null;
  let open = 0;
  for (const [line, content] of lines.entries()) {
    const mark = FENCE.exec(content)?.[1];
    if (fence !== null) {
      const closes = mark !== undefined && mark.startsWith(fence.mark) && content.trim() === mark;
      if (closes) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = { mark, line: line + 1 };
      continue;
    }
    const item = ITEM.exec(content);
    if (item === null) continue;
    const done = item[2] !== " ";
    if (!done) open += 1;
    items.push({ number: done ? null : open, ...readMark(item[4] ?? ""), done, line });
  }
  return { lines, items, openFence: fence?.line ?? null };
}

function readMark(written: string): Pick<TodoItem, "text" | "outside"> {
  const outside = written.toLowerCase().startsWith(MARK);
  return { text: outside ? written.slice(MARK.length).trimStart() : written, outside };
}

function withoutLine({ number, text, done, outside }: FoundItem): TodoItem {
  return { number, text, done, outside };
}
