import type { SoulChangeView } from "../../../src/contract/souls.ts";
import { visibleText } from "./visible-text.ts";

const WORDS = { add: "add to", remove: "take from", replace: "set", restore: "restore" } as const;

/** Returns a change of a soul in words: `add to principles: Say where the bug is`. */
export function changeText({ kind, trait, value }: SoulChangeView): string {
  return `${WORDS[kind]} ${visibleText(trait)}${value === null ? "" : `: ${visibleText(value)}`}`;
}
