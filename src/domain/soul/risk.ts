import type { Soul } from "../agent/definition.ts";
import { fingerprintOf, isOpposite } from "./fingerprint.ts";
import { itemsOf, type LearnedSoul } from "./learned-soul.ts";
import type { SoulChange } from "./soul-change.ts";

/**
 * Which changes of a soul are small enough to be made without asking, where a project allows that. Small is one thing
 * only: the guard itself saw it, it adds one short item, and nothing is lost or contradicted by it. What an agent
 * suggests is never small, for its words may be somebody else's.
 */
export type Risk = "small" | "significant";

export interface RiskFacts {
  readonly source: "observation" | "agent" | "person";
  readonly change: SoulChange;
  /** As it is now. */
  readonly soul: Soul | undefined;
  readonly learned: LearnedSoul;
}

const SMALL_TRAITS = new Set(["expertise", "principles"]);
const SMALL_CHARS = 160;
/** A soul that grows by itself stops growing here. */
const MOST_ADDED = 12;

export function riskOf({ source, change, soul, learned }: RiskFacts): Risk {
  if (source !== "observation" || change.kind !== "add" || !SMALL_TRAITS.has(change.trait)) return "significant";
  if (change.item.length > SMALL_CHARS || (learned.add[change.trait] ?? []).length >= MOST_ADDED) return "significant";
  // To add again what somebody took out is to overrule them.
  if ((learned.remove[change.trait] ?? []).length > 0) return "significant";
  const gist = fingerprintOf(change.item);
  const others = [...itemsOf(soul, "principles"), ...itemsOf(soul, "expertise")];
  return others.some((item) => isOpposite(fingerprintOf(item), gist)) ? "significant" : "small";
}
