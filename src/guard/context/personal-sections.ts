import { UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import type { MemoryListing, TodoItem } from "../../ports/personal-context.ts";
import { memoryPromptIndexOf } from "../memory/memory-prompt-index.ts";
import { cutToLength } from "./estimate-tokens.ts";
import type { PersonalInput, PromptInput } from "./prompt-input.ts";
import { leftOut } from "./prompt-receipt.ts";
import { allow, listSection, promptSection, UNLIMITED, type PromptSection } from "./prompt-section.ts";
import { asLine } from "./section-markup.ts";

export const DEFAULT_MEMORY_BUDGET = 2000;
const TODO_SHARE = 1000;
const TODO_CHARS = 300;
const QUERY_CHARS = 4000;
const NO_ENTRIES: MemoryListing["entries"] = [];

/** Core memory is always complete. Archived memory is in no prompt. */
export function coreMemory(personal: PersonalInput | null): PromptSection {
  return listSection({
    part: "core memory",
    tag: "memory",
    attributes: { tier: "core" },
    items: memoryPromptIndexOf(personal?.memory.entries ?? NO_ENTRIES).core,
    allowance: UNLIMITED,
  });
}

/**
 * Working memory fills what core memory left of the memory budget: first the entries that match the inbox, then the
 * newest; long ones are shortened. `core` is the number of tokens of core memory.
 */
export function workingMemory(input: PromptInput, core: number, left: number): PromptSection {
  const index = memoryPromptIndexOf(input.personal?.memory.entries ?? NO_ENTRIES);
  const { budget = DEFAULT_MEMORY_BUDGET, autoLoad = true, search = true } = input.memorySettings ?? {};
  if (!autoLoad) {
    const names = index.working.map(({ name }) => name);
    return promptSection("working memory", "", { leftOut: [...leftOut("switched-off", names), ...index.archived] });
  }
  const allowance = allow(left, budget - core);
  // When all entries fit, they need no ranking.
  const allFit = index.workingTokens <= allowance.tokens;
  return listSection({
    part: "working memory",
    tag: "memory",
    attributes: { tier: "working" },
    items: allFit ? index.working : index.rankedBy(queryOf(input), input.now),
    allowance,
    more: (count) => (search ? `(${count} more: memory_recall finds them)` : `(${count} more)`),
    leftOut: [...index.archived, ...index.shortened],
  });
}

function queryOf({ inbox }: PromptInput): string {
  return inbox.map(({ message }) => message.body.slice(0, QUERY_CHARS)).join("\n");
}

/** A todo as agents read it, in prompts and in results of tools. */
export function todoLine(
  { number, text, outside }: Pick<TodoItem, "number" | "text" | "outside">,
  maxChars = Number.POSITIVE_INFINITY,
): string {
  const mark = outside ? `(${UNTRUSTED_MARK}) ` : "";
  return `${number}. ${mark}${asLine(cutToLength(text, maxChars))}${text.length > maxChars ? " ..." : ""}`;
}

export function todos(personal: PersonalInput | null, left: number): PromptSection {
  const open = personal?.todos.filter(({ done }) => !done) ?? [];
  const long = open.filter(({ text }) => text.length > TODO_CHARS);
  return listSection({
    part: "todos",
    tag: "todos",
    items: open.map((todo) => ({ name: `${todo.number}`, text: todoLine(todo, TODO_CHARS) })),
    allowance: allow(left, TODO_SHARE),
    contiguous: true,
    more: (count) => `(${count} more: todo)`,
    leftOut: leftOut(
      "shortened",
      long.map(({ number }) => `${number}`),
    ),
  });
}
