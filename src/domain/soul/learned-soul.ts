import type { Soul } from "../agent/definition.ts";
import { asItem, sameItem, type SoulChange } from "./soul-change.ts";

/**
 * What was learned about an agent, apart from its baseline. The effective soul is computed from both: a list is the
 * baseline's items without the removed ones, then the added ones; a text is the replacement, or the baseline's. What was
 * learned does not refer to the baseline, so a person may rewrite the definition at any time.
 */
export interface LearnedSoul {
  readonly add: Readonly<Record<string, readonly string[]>>;
  readonly remove: Readonly<Record<string, readonly string[]>>;
  readonly replace: Readonly<Record<string, string>>;
}

export const NOTHING_LEARNED: LearnedSoul = { add: {}, remove: {}, replace: {} };

/** Every prompt needs the same soul again, so the last result is cached by what was learned. */
const CACHE = new WeakMap<LearnedSoul, { readonly baseline: Soul | undefined; readonly soul: Soul }>();

/** Returns undefined when both are empty. A trait whose type in the baseline differs from what was learned stays. */
export function effectiveSoul(baseline: Soul | undefined, learned: LearnedSoul): Soul | undefined {
  if (traitsOf(learned).length === 0) return baseline;
  const cached = CACHE.get(learned);
  if (cached !== undefined && cached.baseline === baseline) return cached.soul;
  const soul = computeSoul(baseline, learned);
  CACHE.set(learned, { baseline, soul });
  return soul;
}

function computeSoul(baseline: Soul | undefined, learned: LearnedSoul): Soul {
  const soul: Record<string, unknown> = { ...baseline };
  for (const trait of new Set([...Object.keys(learned.remove), ...Object.keys(learned.add)])) {
    const before = soul[trait] ?? [];
    if (!isTexts(before)) continue;
    const removed = learned.remove[trait] ?? [];
    const remaining = before.filter((item) => !removed.some((other) => sameItem(item, other)));
    const items = (learned.add[trait] ?? []).reduce<readonly string[]>(withItem, remaining);
    if (items.length === 0) delete soul[trait];
    else soul[trait] = items;
  }
  for (const [trait, text] of Object.entries(learned.replace)) {
    const before = soul[trait] ?? "";
    if (typeof before === "string") soul[trait] = text;
  }
  return soul;
}

function applyChange(learned: LearnedSoul, change: SoulChange): LearnedSoul {
  const { trait } = change;
  const { add, remove, replace } = learned;
  switch (change.kind) {
    case "add":
      return {
        add: edit(add, trait, (items) => withItem(items, change.item)),
        remove: edit(remove, trait, (items) => withoutItem(items, change.item)),
        replace,
      };
    case "remove":
      return {
        add: edit(add, trait, (items) => withoutItem(items, change.item)),
        remove: edit(remove, trait, (items) => withItem(items, change.item)),
        replace,
      };
    case "replace":
      return { add, remove, replace: { ...replace, [trait]: change.text } };
    case "restore": {
      const { item } = change;
      const forget = (items: readonly string[]) => (item === undefined ? [] : withoutItem(items, item));
      const { [trait]: _, ...others } = replace;
      return {
        add: edit(add, trait, forget),
        remove: edit(remove, trait, forget),
        replace: item === undefined ? others : replace,
      };
    }
  }
}

export function applyChanges(learned: LearnedSoul, changes: readonly SoulChange[]): LearnedSoul {
  return changes.reduce(applyChange, learned);
}

/** Returns the changes that turn `before` into `after`; empty when they mean the same. */
export function differenceOf(before: LearnedSoul, after: LearnedSoul): readonly SoulChange[] {
  const changes: SoulChange[] = [];
  for (const trait of traitsOf(before, after)) {
    const was = partsOf(before, trait);
    const is = partsOf(after, trait);
    for (const item of [...was.add, ...was.remove]) {
      if (!has(is.add, item) && !has(is.remove, item)) changes.push({ kind: "restore", trait, item });
    }
    for (const item of is.remove) if (!has(was.remove, item)) changes.push({ kind: "remove", trait, item });
    for (const item of is.add) if (!has(was.add, item)) changes.push({ kind: "add", trait, item });
    if (is.text !== undefined && is.text !== was.text) changes.push({ kind: "replace", trait, text: is.text });
    if (is.text === undefined && was.text !== undefined) changes.push({ kind: "restore", trait });
  }
  return changes;
}

/**
 * Returns the change as it should be stored: removing a learned item, or adding back a removed item of the baseline, is
 * stored as `restore`. Null when the soul would stay the same.
 */
export function settleChange(baseline: Soul | undefined, learned: LearnedSoul, change: SoulChange): SoulChange | null {
  const isInBaseline = (item: string): boolean => {
    const before = baseline?.[change.trait];
    return isTexts(before) && has(before, item);
  };
  const settled: SoulChange =
    (change.kind === "remove" && !isInBaseline(change.item)) ||
    (change.kind === "add" && isInBaseline(change.item) && has(learned.remove[change.trait] ?? [], change.item))
      ? { kind: "restore", trait: change.trait, item: change.item }
      : change;
  const before = JSON.stringify(effectiveSoul(baseline, learned) ?? {});
  const after = JSON.stringify(effectiveSoul(baseline, applyChange(learned, settled)) ?? {});
  return before === after ? null : settled;
}

/** Returns the items of a trait; none when it is not a list. */
export function itemsOf(soul: Soul | undefined, trait: string): readonly string[] {
  const value = soul?.[trait];
  return isTexts(value) ? value : [];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function traitsOf(...souls: readonly LearnedSoul[]): readonly string[] {
  const traits = souls.flatMap(({ add, remove, replace }) =>
    [add, remove, replace].flatMap((part) => Object.keys(part)),
  );
  return [...new Set(traits)].sort();
}

function partsOf({ add, remove, replace }: LearnedSoul, trait: string) {
  return { add: add[trait] ?? [], remove: remove[trait] ?? [], text: replace[trait] };
}

function has(items: readonly string[], item: string): boolean {
  return items.some((other) => sameItem(item, other));
}

function withItem(items: readonly string[], item: string): readonly string[] {
  return has(items, item) ? items : [...items, asItem(item)];
}

function withoutItem(items: readonly string[], item: string): readonly string[] {
  return items.filter((other) => !sameItem(item, other));
}

function edit(
  lists: LearnedSoul["add"],
  trait: string,
  change: (items: readonly string[]) => readonly string[],
): LearnedSoul["add"] {
  const { [trait]: before = [], ...others } = lists;
  const after = change(before);
  if (after.length === 0) return others;
  return { ...lists, [trait]: after };
}
