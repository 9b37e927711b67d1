import type { MemoryListing } from "../../ports/personal-context.ts";
import { cutToLength } from "./estimate-tokens.ts";
import { memoryPromptIndexOf } from "../memory/memory-prompt-index.ts";
import type { PersonalInput, PromptInput } from "./prompt-input.ts";
import { leftOut } from "./prompt-receipt.ts";
import { allow, listSection, promptSection, UNLIMITED, type PromptSection } from "./prompt-section.ts";
import { asLine } from "./section-markup.ts";

/**
 * What the agent carries with it. Core memory is always whole; working memory fills what the memory budget leaves, what
 * the inbox is about first and then the newest, long entries shortened; the archive is only for searching. Each entry
 * says where it comes from, and none can pass for anything else.
 */
export const DEFAULT_MEMORY_BUDGET = 2000;
const TODO_SHARE = 1000;
const TODO_CHARS = 300;
const QUESTION_CHARS = 4000;
const NO_ENTRIES: MemoryListing["entries"] = [];

export function coreMemory(personal: PersonalInput | null): PromptSection {
  return listSection({
    part: "core memory",
    tag: "memory",
    attributes: { tier: "core" },
    items: memoryPromptIndexOf(personal?.memory.entries ?? NO_ENTRIES).core,
    allowance: UNLIMITED,
  });
}

/** `core` is what core memory took of the memory budget already. */
export function workingMemory(input: PromptInput, core: number, left: number): PromptSection {
  const shelf = memoryPromptIndexOf(input.personal?.memory.entries ?? NO_ENTRIES);
  const { budget = DEFAULT_MEMORY_BUDGET, autoLoad = true, search = true } = input.memorySettings ?? {};
  if (!autoLoad) {
    const names = shelf.working.map(({ name }) => name);
    return promptSection("working memory", "", { leftOut: [...leftOut("switched-off", names), ...shelf.archived] });
  }
  const allowance = allow(left, budget - core);
  // As long as all of it fits, nothing has to be weighed.
  const all = shelf.workingTokens <= allowance.tokens;
  return listSection({
    part: "working memory",
    tag: "memory",
    attributes: { tier: "working" },
    items: all ? shelf.working : shelf.about(questionOf(input), input.now),
    allowance,
    more: (count) => (search ? `(${count} more: memory_recall finds them)` : `(${count} more)`),
    leftOut: [...shelf.archived, ...shelf.shortened],
  });
}

function questionOf({ inbox }: PromptInput): string {
  return inbox.map(({ message }) => message.body.slice(0, QUESTION_CHARS)).join("\n");
}

export function todos(personal: PersonalInput | null, left: number): PromptSection {
  const open = personal?.todos.filter(({ done }) => !done) ?? [];
  const long = open.filter(({ text }) => text.length > TODO_CHARS);
  return listSection({
    part: "todos",
    tag: "todos",
    items: open.map(({ number, text }) => ({
      name: `${number}`,
      text: `${number}. ${asLine(cutToLength(text, TODO_CHARS))}${text.length > TODO_CHARS ? " ..." : ""}`,
    })),
    allowance: allow(left, TODO_SHARE),
    contiguous: true,
    more: (count) => `(${count} more: todo_list)`,
    leftOut: leftOut(
      "shortened",
      long.map(({ number }) => `${number}`),
    ),
  });
}
