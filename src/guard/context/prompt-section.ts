import { estimateTokens, tokensOfWeight, tokenWeight } from "./estimate-tokens.ts";
import { sharedPiece, weightOf, type PromptPiece } from "./prompt-piece.ts";
import { leftOut, MAX_NAMES, type LeftOut, type LeftOutReason, type PromptPart } from "./prompt-receipt.ts";
import { section, type Attributes, type SectionTag } from "./section-markup.ts";

/** A part of the prompt with its tokens and what was left out of it. */
export interface PromptSection {
  readonly part: PromptPart;
  /** The text in pieces; none when the part has no content. */
  readonly pieces: readonly PromptPiece[];
  /** Including the gap to the next section. */
  readonly tokens: number;
  readonly items: number;
  readonly names: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly notes?: readonly string[];
  /** Where the first message is that is shown, when earlier ones are not. */
  readonly shownFrom?: number;
}

export const GAP = "\n\n";

type SectionFacts = Partial<Pick<PromptSection, "items" | "names" | "leftOut" | "notes">>;

export function promptSection(part: PromptPart, text: string, more: SectionFacts = {}): PromptSection {
  return sectionOf(part, text === "" ? [] : [sharedPiece(text)], more);
}

const GAP_WEIGHT = tokenWeight(GAP);

export function sectionOf(part: PromptPart, pieces: readonly PromptPiece[], more: SectionFacts): PromptSection {
  const tokens = pieces.length === 0 ? 0 : tokensOfWeight(weightOf(pieces) + GAP_WEIGHT);
  const { items = pieces.length === 0 ? 0 : 1, names = [], leftOut: missing = [], notes = [] } = more;
  return { part, pieces, tokens, items, names, leftOut: missing, ...(notes.length === 0 ? {} : { notes }) };
}

export interface Item {
  /** For the receipt. */
  readonly name: string;
  readonly text: string;
  /** The cached result of `itemTokens`. */
  readonly tokens?: number;
}

export function itemTokens(text: string): number {
  return estimateTokens(`${text}\n`);
}

/** The token limit of a section, and the reason that the receipt gives for items above it. */
export interface Allowance {
  readonly tokens: number;
  readonly reason: LeftOutReason;
}

export const UNLIMITED: Allowance = { tokens: Number.POSITIVE_INFINITY, reason: "budget" };

/** Returns the smaller one: the rest of the prompt's budget, or the share of the part. */
export function allow(left: number, share: number): Allowance {
  return share < left ? { tokens: share, reason: "share" } : { tokens: left, reason: "budget" };
}

export interface ListSpec {
  readonly part: PromptPart;
  readonly tag: SectionTag;
  readonly attributes?: Attributes;
  /** The most important first. */
  readonly items: readonly Item[];
  /** How many items there are besides these. The line of `more` counts them. */
  readonly further?: number;
  readonly allowance: Allowance;
  /** The first item that does not fit ends the list. Otherwise later, smaller items may still fit. */
  readonly contiguous?: boolean;
  /** Reorders the chosen items. */
  readonly arrange?: (chosen: readonly Item[]) => readonly Item[];
  /** Returns a line that says how the agent can read what did not fit. */
  readonly more?: (count: number) => string;
  /** What the caller left out already. */
  readonly leftOut?: readonly LeftOut[];
}

/** Includes as many items as fit. The section is empty when none fits. */
export function listSection(spec: ListSpec): PromptSection {
  const { part, tag, attributes = {}, items, allowance, more, further = 0 } = spec;
  const before = spec.leftOut ?? [];
  if (items.length === 0 && further === 0) return promptSection(part, "", { leftOut: before });

  const frame = section(tag, attributes, more?.(items.length + further) ?? "") + GAP;
  let left = allowance.tokens - estimateTokens(frame);
  const chosen: Item[] = [];
  const missing: Item[] = [];
  for (const item of items) {
    const tokens = item.tokens ?? itemTokens(item.text);
    if (tokens <= left && !(spec.contiguous === true && missing.length > 0)) {
      left -= tokens;
      chosen.push(item);
    } else missing.push(item);
  }
  const omitted = [
    ...before,
    ...leftOut(
      allowance.reason,
      missing.map(({ name }) => name),
    ),
  ];
  const hidden = missing.length + further;
  const tells = hidden > 0 && more !== undefined && left >= 0;
  if (chosen.length === 0 && (further === 0 || !tells)) return promptSection(part, "", { leftOut: omitted });

  const lines = (spec.arrange?.(chosen) ?? chosen).map(({ text }) => text);
  if (tells) lines.push(more(hidden));
  return promptSection(part, section(tag, attributes, lines.join("\n")), {
    items: chosen.length,
    names: chosen.slice(0, MAX_NAMES).map(({ name }) => name),
    leftOut: omitted,
  });
}
