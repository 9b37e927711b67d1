/**
 * What a finished step leaves for the next one. A transcript that is a JSON list can grow: then a step leaves only what
 * it added, and the list of everything is made when a run resumes. A whole transcript replaces everything before it.
 */
export interface StepTranscript {
  /** JSON of the engine. */
  readonly transcript: string;
  /** True: the transcript is a list of what the step added to the list of the step before. */
  readonly continues: boolean;
}

/** Returns the transcript of which these are the parts, in order: a whole one and what later steps added to it. */
export function joinTranscript(parts: readonly string[]): string {
  const [whole = "[]", ...additions] = parts;
  if (additions.length === 0) return whole;
  return `[${[whole, ...additions].map(itemsOf).filter(Boolean).join(",")}]`;
}

/** Returns the text that a transcript begins with, if it is a list of messages and the first is one to the model. */
export function promptOfTranscript(transcript: unknown): string | null {
  const first: unknown = Array.isArray(transcript) ? transcript[0] : undefined;
  if (typeof first !== "object" || first === null || !("role" in first) || !("content" in first)) return null;
  if (first.role !== "user") return null;
  // With images, the text is the first part.
  const content: unknown = Array.isArray(first.content) ? (first.content[0] as unknown) : first.content;
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || !("text" in content)) return null;
  return typeof content.text === "string" ? content.text : null;
}

function itemsOf(list: string): string {
  if (!list.startsWith("[") || !list.endsWith("]")) throw new Error("a step added to a transcript that is not a list");
  return list.slice(1, -1);
}
