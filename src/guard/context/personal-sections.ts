import { UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import type { MemoryListing, TodoItem } from "../../ports/personal-context.ts";
import { isSetAside, memoryPromptIndexOf } from "../memory/memory-prompt-index.ts";
import { cutToLength } from "./estimate-tokens.ts";
import type { PersonalInput, PromptInput } from "./prompt-input.ts";
import { leftOut, MAX_NAMES, type LeftOut } from "./prompt-receipt.ts";
import { allow, listSection, promptSection, UNLIMITED, type PromptSection } from "./prompt-section.ts";
import { asLine } from "./section-markup.ts";

export const DEFAULT_MEMORY_BUDGET = 2000;
const TODO_SHARE = 1000;
const TODO_CHARS = 300;
const QUERY_CHARS = 4000;
const NO_MEMORY: MemoryListing = { entries: [], problems: [] };

/** Core memory is always complete. */
export function coreMemory(personal: PersonalInput | null): PromptSection {
  return listSection({
    part: "core memory",
    tag: "memory",
    attributes: { tier: "core" },
    items: memoryPromptIndexOf(personal?.memory ?? NO_MEMORY).core,
    allowance: UNLIMITED,
  });
}

/**
 * Working memory fills what core memory left of the memory budget. If all of it fits, it is shown as it is, with the
 * archived entries that match the inbox; otherwise the matching ones of both are shown, the best first, and nothing else.
 * Long ones are shortened. The section says how many are not shown. `core` is the number of tokens of core memory.
 */
export function workingMemory(input: PromptInput, core: number, left: number): PromptSection {
  const index = memoryPromptIndexOf(input.personal?.memory ?? NO_MEMORY);
  const { budget = DEFAULT_MEMORY_BUDGET, autoLoad = true, search = true } = input.memorySettings ?? {};
  if (!autoLoad) {
    const names = index.working().map(({ name }) => name);
    return promptSection("working memory", "", {
      leftOut: [...leftOut("switched-off", names), ...leftOut("archived", index.setAside())],
    });
  }
  const allowance = allow(left, budget - core);
  const allFit = index.workingTokens <= allowance.tokens;
  const mayMatch = index.setAsideCount > 0 || !allFit;
  const matching = mayMatch ? index.matching(queryOf(input), input.now) : [];
  const aside = matching.filter(({ entry }) => isSetAside(entry));
  const items = allFit ? [...index.working(), ...aside] : matching;
  const offered = new Set(items.map(({ name }) => name));
  return listSection({
    part: "working memory",
    tag: "memory",
    attributes: { tier: "working" },
    items,
    further: index.workingCount + index.setAsideCount - items.length,
    allowance,
    more: (count) => (search ? `(${count} more: memory_recall finds them)` : `(${count} more)`),
    leftOut: [
      ...notOffered("archived", index.setAside(), aside.length, offered),
      ...(allFit ? [] : notOffered("unrelated", index.workingNames(), matching.length - aside.length, offered)),
      ...leftOut(
        "shortened",
        items.flatMap(({ isShort, name }) => (isShort ? [name] : [])),
      ),
    ],
  });
}

/** `shown`: how many of the names are offered to the prompt. */
function notOffered(
  reason: LeftOut["reason"],
  names: readonly string[],
  shown: number,
  offered: ReadonlySet<string>,
): LeftOut[] {
  const first: string[] = [];
  for (const name of names) {
    if (first.length >= Math.min(MAX_NAMES, names.length - shown)) break;
    if (!offered.has(name)) first.push(name);
  }
  return names.length === shown ? [] : [{ reason, count: names.length - shown, names: first }];
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
