import { UsageError } from "./usage-error.ts";

/**
 * Checks the words of a command whose second word is an action: NAME, the action, and exactly the arguments it takes.
 * Returns the words after the action.
 */
export function actionWords<const Expected extends readonly [string, string, ...string[]]>(
  words: readonly string[],
  expected: Expected,
): Expected extends readonly [string, string, ...infer Rest] ? { readonly [At in keyof Rest]: string } : never;
export function actionWords(words: readonly string[], expected: readonly string[]): readonly string[] {
  const missing = expected[words.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing: ${expected.slice(1).join(" ")}.`);
  const extra = words[expected.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many.`, "Quote a text of several words.");
  return words.slice(2);
}
