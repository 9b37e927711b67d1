import { findFences } from "../message/fences.ts";
import { asItem } from "./soul-change.ts";

const OPENS =
  /^(?:please\s+)?(?:always|never|do\s+not\s+ever|don't\s+ever|from\s+now\s+on|in\s+future|remember\s+to)\b/iu;
const MAX_CHARS = 160;
const MIN_WORDS = 3;

/**
 * Returns the sentences of a message that say how an agent should always work. Only short sentences in the person's own
 * words count: no quotes, code or links.
 */
export function standingInstructions(text: string): readonly string[] {
  const unquoted = withoutQuotes(withoutFences(text));
  const sentences = unquoted.split(/(?<=[.!?])\s+|\n+/u).map((sentence) => tidy(sentence));
  return sentences.filter(
    (sentence) =>
      OPENS.test(sentence) &&
      sentence.length <= MAX_CHARS &&
      sentence.split(" ").length >= MIN_WORDS &&
      !/[`<>]|:\/\//u.test(sentence),
  );
}

function withoutFences(text: string): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of findFences(text)) {
    rest += `${text.slice(from, start)}\n`;
    from = end;
  }
  return rest + text.slice(from);
}

function withoutQuotes(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:>|\||[-+]{3}|diff |@@)/u.test(line))
    .join("\n");
}

/** Returns the sentence as a principle: without the addressee and without "please". */
function tidy(sentence: string): string {
  const principle = asItem(sentence)
    .replace(/^(?:[-*]\s+)?(?:@[\w-]+[,:]?\s+)+/u, "")
    .replace(/^(?:and|so|but|ok|okay|again|hey|hi)[,:]?\s+/iu, "")
    .replace(/^please,?\s+/iu, "")
    .replace(/[.!?\s]+$/u, "");
  return principle === "" ? "" : principle.charAt(0).toUpperCase() + principle.slice(1);
}
