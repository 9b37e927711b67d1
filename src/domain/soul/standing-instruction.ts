import { findFences } from "../message/fences.ts";
import { asItem } from "./soul-change.ts";

/**
 * Sentences by which a person tells an agent how it should always work, as opposed to what to do now. Only what reads as
 * the person's own words counts: nothing that is quoted, code, or a link, and nothing long.
 */
const OPENS =
  /^(?:please\s+)?(?:always|never|do\s+not\s+ever|don't\s+ever|from\s+now\s+on|in\s+future|remember\s+to)\b/iu;
const LONGEST = 160;
const SHORTEST_WORDS = 3;

export function standingInstructions(text: string): readonly string[] {
  const own = withoutQuotes(withoutFences(text));
  const sentences = own.split(/(?<=[.!?])\s+|\n+/u).map((sentence) => tidy(sentence));
  return sentences.filter(
    (sentence) =>
      OPENS.test(sentence) &&
      sentence.length <= LONGEST &&
      sentence.split(" ").length >= SHORTEST_WORDS &&
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

/** As it would stand among principles: whom it was said to, and that it was asked kindly, are left out. */
function tidy(sentence: string): string {
  const said = asItem(sentence)
    .replace(/^(?:[-*]\s+)?(?:@[\w-]+[,:]?\s+)+/u, "")
    .replace(/^(?:and|so|but|ok|okay|again|hey|hi)[,:]?\s+/iu, "")
    .replace(/^please,?\s+/iu, "")
    .replace(/[.!?\s]+$/u, "");
  return said === "" ? "" : said.charAt(0).toUpperCase() + said.slice(1);
}
