/** What a prompt contains and what was left out of it: nothing is left out without an entry here. Stored as JSON. */
export interface PromptReceipt {
  /** Token budget of the whole prompt, and its estimated tokens. */
  readonly budget: number;
  readonly tokens: number;
  /** True when the parts that may never be left out exceed the budget. */
  readonly overBudget: boolean;
  /** In the order of the prompt. A part without content is listed only when something was left out of it. */
  readonly parts: readonly PartReceipt[];
}

export const PROMPT_PARTS = [
  "system prompt",
  "soul",
  "conduct",
  "workflow",
  "guidance",
  "team",
  "skills",
  "core memory",
  "working memory",
  "todos",
  "documents",
  "channel",
  "conversation",
  "inbox",
  "images",
  "now",
] as const;
export type PromptPart = (typeof PROMPT_PARTS)[number];

export interface PartReceipt {
  readonly part: PromptPart;
  /** `system`: the text that is the same in every run. `prompt`: the text of this run. */
  readonly place: "system" | "prompt";
  readonly tokens: number;
  readonly items: number;
  /** The names of at most `MAX_NAMES` items. */
  readonly names: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** For people: what else happened to the part, such as a summary that rules made because the model failed. */
  readonly notes?: readonly string[];
}

export interface LeftOut {
  readonly reason: LeftOutReason;
  readonly count: number;
  /** The names of at most `MAX_NAMES` items. */
  readonly names: readonly string[];
}

/**
 * budget: the prompt was full. share: the part had used up its own limit. shortened: only the beginning is shown.
 * archived: not about this message. unrelated: neither, when not all fits. inbox: shown in the inbox. switched-off: by configuration. unreadable: a broken file.
 */
export type LeftOutReason =
  | "budget"
  | "share"
  | "shortened"
  | "archived"
  | "unrelated"
  | "inbox"
  | "switched-off"
  | "unreadable";

export const MAX_NAMES = 20;

/** Returns an empty list when there are no names. */
export function leftOut(reason: LeftOutReason, names: readonly string[]): LeftOut[] {
  return names.length === 0 ? [] : [{ reason, count: names.length, names: names.slice(0, MAX_NAMES) }];
}
