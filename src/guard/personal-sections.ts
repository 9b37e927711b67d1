import { isOutside, originText } from "../domain/recall/outside.ts";
import { standing } from "../domain/recall/standing.ts";
import type { MemoryEntry } from "../ports/personal-context.ts";
import { cutToLength } from "./estimate-tokens.ts";
import { rankingOf, valueText } from "./memory-terms.ts";
import type { PersonalInput, PromptInput } from "./prompt-input.ts";
import { leftOut } from "./prompt-receipt.ts";
import {
  allow,
  itemTokens,
  listSection,
  promptSection,
  UNLIMITED,
  type Item,
  type PromptSection,
} from "./prompt-section.ts";
import { asBlock, asLine } from "./section-markup.ts";

/**
 * What the agent carries with it. Core memory is always whole; working memory fills what the memory budget leaves, what
 * the inbox is about first and then the newest, long entries shortened; the archive is only for searching. Each entry
 * says where it comes from, and none can pass for anything else.
 */
export const DEFAULT_MEMORY_BUDGET = 2000;
const TODO_SHARE = 1000;
const TODO_CHARS = 300;
const ENTRY_CHARS = 600;
const QUESTION_CHARS = 4000;

export function coreMemory(personal: PersonalInput | null): PromptSection {
  const entries = personal?.memory.entries ?? [];
  return listSection({
    part: "core memory",
    tag: "memory",
    attributes: { tier: "core" },
    items: entries.filter(({ tier }) => tier === "core").map((entry) => memoryItem(entry)),
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
  const allowance = allow(left, budget - core);
  const chosen = inOrder(input, allowance.tokens);
  const items = chosen.map(shortItem);
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
    allowance,
    more: (count) => `(${count} more: memory_recall finds them)`,
    leftOut: [
      ...archived,
      ...leftOut(
        "shortened",
        chosen.filter(isLong).map(({ key }) => key),
      ),
    ],
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

/** The most important first. As long as all of it fits, nothing has to be weighed. */
function inOrder({ personal, inbox, now }: PromptInput, tokens: number): readonly MemoryEntry[] {
  const entries = personal?.memory.entries ?? [];
  const working = entries.filter(({ tier }) => tier === "working").toSorted(newestFirst);
  const needed = working.reduce((sum, entry) => sum + shortItem(entry).tokens, 0);
  if (needed <= tokens) return working;
  const asked = inbox.map(({ message }) => message.body.slice(0, QUESTION_CHARS)).join("\n");
  const worth = new Map<MemoryEntry, number>();
  for (const { index, score } of rankingOf(entries).rank(asked)) {
    const entry = entries[index];
    if (entry !== undefined) worth.set(entry, score * standing(factsOf(entry), now));
  }
  return working.toSorted((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0));
}

function factsOf(entry: MemoryEntry) {
  const at = Date.parse(changedAt(entry) ?? "");
  return { kind: "memory", tier: entry.tier, outside: isOutside(entry), at: Number.isNaN(at) ? null : at } as const;
}

/** Entries are shown in every prompt until their file changes; their words stay the same. */
const SHORT = new WeakMap<MemoryEntry, Item & { readonly tokens: number }>();

function shortItem(entry: MemoryEntry): Item & { readonly tokens: number } {
  const known = SHORT.get(entry);
  if (known !== undefined) return known;
  const item = memoryItem(entry, ENTRY_CHARS);
  const priced = { ...item, tokens: itemTokens(item.text) };
  SHORT.set(entry, priced);
  return priced;
}

/** What an entry costs in a prompt. */
export function entryTokens(entry: MemoryEntry): number {
  return shortItem(entry).tokens;
}

function isLong(entry: MemoryEntry): boolean {
  return valueText(entry).length > ENTRY_CHARS;
}

function memoryItem(entry: MemoryEntry, most = Number.POSITIVE_INFINITY): Item {
  const text = valueText(entry);
  const shown = text.length > most ? `${cutToLength(text, most)} ... (memory_recall has the rest)` : text;
  return { name: entry.key, text: `- ${asLine(entry.key)} (${provenance(entry)}): ${asBlock(shown)}` };
}

/** Who stands for an entry, and where it was heard. */
export function provenance(entry: Pick<MemoryEntry, "source" | "origin">): string {
  const facts = [
    `from ${asLine(entry.source)}`,
    isOutside(entry) ? "outside text" : "",
    asLine(originText(entry) ?? ""),
  ];
  return facts.filter((fact) => fact !== "").join(", ");
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
