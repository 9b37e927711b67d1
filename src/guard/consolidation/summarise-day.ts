import type { PromptMessage } from "../context/prompt-input.ts";
import { partOfMessages } from "../summary/summary-part.ts";
import { summarisePart, type SummaryModel } from "../summary/summarise-part.ts";
import { PART_MESSAGES } from "../summary/summary-source.ts";

/** A day with more messages than this is noted by its first and last ones. */
const MOST_PARTS = 6;

/** Returns what was said on a day, in lines, and who wrote them: rules or a model. */
export async function summariseDay(
  messages: readonly PromptMessage[],
  model: SummaryModel | null,
  now: number,
): Promise<{ readonly text: string; readonly by: string }> {
  const parts = Array.from({ length: Math.ceil(messages.length / PART_MESSAGES) }, (_, index) =>
    messages.slice(index * PART_MESSAGES, (index + 1) * PART_MESSAGES),
  );
  const half = MOST_PARTS / 2;
  const chosen = parts.length <= MOST_PARTS ? parts : [...parts.slice(0, half), ...parts.slice(-half)];
  const texts: string[] = [];
  const writers = new Set<string>();
  for (const part of chosen) {
    const summary = await summarisePart(partOfMessages("", { from: 0, to: 0 }, part, 0), model, now);
    texts.push(summary.text);
    writers.add(summary.model ?? "rules");
  }
  const text = texts.filter((each) => each !== "").join("\n");
  return { text: text === "" ? `- ${messages.length} short messages` : text, by: [...writers].join(" and ") };
}
