import type { Soul } from "../agent/definition.ts";
import { fingerprintOf, isOpposite } from "./fingerprint.ts";
import { itemsOf, type LearnedSoul } from "./learned-soul.ts";
import type { SoulChange } from "./soul-change.ts";

/**
 * Whether a change of a soul may be applied without a person, where a project allows that. A change is small only if
 * the guard itself observed it, it adds one short item, and it removes or contradicts nothing. What an agent suggests
 * is never small, because it may repeat untrusted content.
 */
export type Risk = "small" | "significant";

export interface RiskFacts {
  readonly source: "observation" | "agent" | "person";
  readonly change: SoulChange;
  /** The current effective soul. */
  readonly soul: Soul | undefined;
  readonly learned: LearnedSoul;
}

const SMALL_TRAITS = new Set(["expertise", "principles"]);
const SMALL_CHARS = 160;
/** Most items of a trait that are added without a person. */
const MAX_ADDED = 12;

export function riskOf({ source, change, soul, learned }: RiskFacts): Risk {
  if (source !== "observation" || change.kind !== "add" || !SMALL_TRAITS.has(change.trait)) return "significant";
  if (change.item.length > SMALL_CHARS || (learned.add[change.trait] ?? []).length >= MAX_ADDED) return "significant";
  // A person removed items of this trait: adding to it could overrule that.
  if ((learned.remove[change.trait] ?? []).length > 0) return "significant";
  const fingerprint = fingerprintOf(change.item);
  const others = [...itemsOf(soul, "principles"), ...itemsOf(soul, "expertise")];
  return others.some((item) => isOpposite(fingerprintOf(item), fingerprint)) ? "significant" : "small";
}
