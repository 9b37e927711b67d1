/** Why a model's answer is not whole: it was as long as it may be, or the provider's content filter held it back. */
export type AnswerCut = "length" | "filter";

const WORDS: Readonly<Record<AnswerCut, string>> = {
  length: "The model's answer was cut here: it was as long as it may be (max_tokens).",
  filter: "The rest of the answer is missing: the provider's content filter withheld it.",
};

/** Returns the answer with a last line that says that it is not whole. */
export function markCut(text: string, cut: AnswerCut): string {
  const mark = `[${WORDS[cut]}]`;
  return text.trim() === "" ? mark : `${text.trimEnd()}\n\n${mark}`;
}
