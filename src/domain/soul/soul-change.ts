import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Soul } from "../agent/definition.ts";

/**
 * One change of a soul on top of its baseline. Traits that are lists gain and lose items; traits that are a text are
 * replaced. `restore` takes back whatever was learned about a trait, or about one item of it.
 */
export type SoulChange =
  | { readonly kind: "add" | "remove"; readonly trait: string; readonly item: string }
  | { readonly kind: "replace"; readonly trait: string; readonly text: string }
  | { readonly kind: "restore"; readonly trait: string; readonly item?: string };

export const MAX_ITEM_CHARS = 300;
const MAX_TRAIT_CHARS = 40;
const TRAIT_NAME = /^[a-zA-Z][a-zA-Z0-9_-]*$/;
const NOT_A_TRAIT = new Set(["__proto__", "constructor", "prototype"]);

const TEXT_TRAITS = new Set(["role", "style"]);
const LIST_TRAITS = new Set(["expertise", "principles"]);

/** Returns a text on one line, as it is stored. */
export function asItem(text: string): string {
  return text.toWellFormed().replace(/\s+/gu, " ").trim();
}

export function sameItem(one: string, other: string): boolean {
  return itemKey(one) === itemKey(other);
}

/** The same for two items that differ only in case, spaces or a final dot. */
function itemKey(item: string): string {
  return asItem(item)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[.!;\s]+$/u, "");
}

/** Returns the same text for the same change, however it is spelled. */
export function changeKey(change: SoulChange): string {
  const text = "item" in change ? change.item : "text" in change ? change.text : "";
  return `${change.kind} ${change.trait} ${itemKey(text ?? "")}`;
}

/** Checks whether the change is valid for this baseline. It may still change nothing. */
export function checkChange(change: SoulChange, baseline: Soul | undefined): Result<SoulChange, Refusal> {
  const { trait } = change;
  if (!TRAIT_NAME.test(trait) || trait.length > MAX_TRAIT_CHARS || NOT_A_TRAIT.has(trait)) {
    return refuse("invalid", `"${trait.slice(0, MAX_TRAIT_CHARS)}" cannot be the name of a trait.`, {
      hint: "Use role, expertise, style, principles, or a word of letters, digits, - and _.",
    });
  }
  if (change.kind === "restore") return ok(change);
  const text = asItem(change.kind === "replace" ? change.text : change.item);
  if (text === "") return refuse("invalid", `There is nothing to ${change.kind} in ${trait}.`);
  if (text.length > MAX_ITEM_CHARS) {
    return refuse("too_large", `A part of a soul has ${MAX_ITEM_CHARS} characters at most; this has ${text.length}.`, {
      hint: "Say it in one sentence.",
    });
  }
  const kind = kindOf(trait, baseline?.[trait]);
  if (kind === "other") {
    return refuse("invalid", `${trait} is neither a text nor a list of texts.`, {
      hint: "Change it in the definition of the agent.",
    });
  }
  if (change.kind === "replace") {
    if (kind === "list") return refuseKind(trait, "a list", "add or remove an item");
    return ok({ ...change, text });
  }
  if (kind === "text") return refuseKind(trait, "one text", "replace it");
  return ok({ ...change, item: text });
}

function kindOf(trait: string, value: unknown): "text" | "list" | "either" | "other" {
  if (TEXT_TRAITS.has(trait)) return "text";
  if (LIST_TRAITS.has(trait)) return "list";
  if (value === undefined || value === null) return "either";
  if (typeof value === "string") return "text";
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? "list" : "other";
}

function refuseKind(trait: string, is: string, hint: string) {
  return refuse("invalid", `${trait} is ${is}.`, { hint: `To change it, ${hint}.` });
}

/** Returns what a change does, in one line for people. */
export function changeText(change: SoulChange): string {
  switch (change.kind) {
    case "add":
      return `+ ${change.trait}: ${change.item}`;
    case "remove":
      return `- ${change.trait}: ${change.item}`;
    case "replace":
      return `= ${change.trait}: ${change.text}`;
    case "restore":
      return change.item === undefined ? `~ ${change.trait}` : `~ ${change.trait}: ${change.item}`;
  }
}
