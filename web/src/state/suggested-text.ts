import type { SuggestionView } from "../../../src/contract/documents.ts";

/** Returns the text of a document after a suggestion was accepted. */
export function suggestedText(content: string, { way, content: suggested }: SuggestionView): string {
  return way === "replace" ? suggested : `${content.replace(/\n?$/, content === "" ? "" : "\n")}${suggested}`;
}
