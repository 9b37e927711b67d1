import type { MemoryEntry, MemoryValue } from "../ports/personal-context.ts";
import { cutToLength } from "./estimate-tokens.ts";
import type { PersonalInput, PromptInput } from "./prompt-input.ts";
import { leftOut } from "./prompt-receipt.ts";
import { allow, listSection, promptSection, UNLIMITED, type Item, type PromptSection } from "./prompt-section.ts";
import { asBlock, asLine } from "./section-markup.ts";

/**
 * What the agent carries with it. Core memory is always whole; working memory fills what the memory budget leaves, the
 * newest first; the archive is only for searching. Each entry names who wrote it, and none can pass for anything else.
 */
const DEFAULT_MEMORY_BUDGET = 2000;
const TODO_SHARE = 1000;
const TODO_CHARS = 300;

export function coreMemory(personal: PersonalInput | null): PromptSection {
  const entries = personal?.memory.entries ?? [];
  return listSection({
    part: "core memory",
    tag: "memory",
    attributes: { tier: "core" },
    items: entries.filter(({ tier }) => tier === "core").map(memoryItem),
    allowance: UNLIMITED,
  });
}

/** `core` is what core memory took of the memory budget already. */
export function workingMemory(input: PromptInput, core: number, left: number): PromptSection {
  const entries = input.personal?.memory.entries ?? [];
  const { budget = DEFAULT_MEMORY_BUDGET, autoLoad = true } = input.memorySettings ?? {};
  const archived = leftOut(
    "archived",
    entries.filter(({ tier }) => tier === "archive").map(({ key }) => key),
  );
  const items = entries
    .filter(({ tier }) => tier === "working")
    .toSorted(newestFirst)
    .map(memoryItem);
  if (!autoLoad) {
    return promptSection("working memory", "", {
      leftOut: [
        ...leftOut(
          "switched-off",
          items.map(({ name }) => name),
        ),
        ...archived,
      ],
    });
  }
  return listSection({
    part: "working memory",
    tag: "memory",
    attributes: { tier: "working" },
    items,
    allowance: allow(left, budget - core),
    more: (count) => `(${count} more: memory_recall finds them)`,
    leftOut: archived,
  });
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

function memoryItem({ key, value, source }: MemoryEntry): Item {
  return { name: key, text: `- ${asLine(key)} (from ${asLine(source)}): ${asBlock(valueText(value))}` };
}

function valueText(value: MemoryValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a person wrote by hand has no time, and comes first: somebody took the trouble. */
function newestFirst(a: MemoryEntry, b: MemoryEntry): number {
  const [left, right] = [changedAt(a), changedAt(b)];
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? -1 : 1;
  return left > right ? -1 : 1;
}

function changedAt({ updated, created }: MemoryEntry): string | null {
  return updated ?? created;
}
