import { estimateTokens } from "./estimate-tokens.ts";
import { expectation, inbox } from "./inbox-sections.ts";
import { coreMemory, todos, workingMemory } from "./personal-sections.ts";
import type { PromptInput } from "./prompt-input.ts";
import { leftOut, type PartReceipt, type PromptReceipt } from "./prompt-receipt.ts";
import { GAP, type PromptSection } from "./prompt-section.ts";
import { stablePrefix } from "./stable-prefix.ts";
import { documents, recent } from "./workspace-sections.ts";

/** Tokens of a prompt when nobody says otherwise: room for work in every model of today. */
export const DEFAULT_PROMPT_BUDGET = 32_000;

export interface AssembledPrompt {
  /** The same bytes for the same agent and workspace. */
  readonly system: string;
  readonly prompt: string;
  readonly receipt: PromptReceipt;
}

/**
 * Chooses what a run is given. What must be said is always there and whole: the system text, core memory, the inbox.
 * The rest gets what is left of the budget, the more personal first: todos, working memory, what was just said,
 * documents. It stands in the order an agent reads best, with what is asked of it last.
 */
export function assemblePrompt(input: PromptInput): AssembledPrompt {
  const prefix = stablePrefix(input);
  const core = coreMemory(input.personal);
  const asked = inbox(input);
  const now = expectation(input);

  let left = input.budget - cost([...prefix, core, asked, now]);
  const take = (make: (allowed: number) => PromptSection): PromptSection => {
    const made = make(Math.max(0, left));
    left -= made.tokens;
    return made;
  };
  const list = take((allowed) => todos(input.personal, allowed));
  const working = take((allowed) => workingMemory(input, core.tokens, allowed));
  const said = take((allowed) => recent(input, allowed));
  const written = take((allowed) => documents(input, allowed));

  const volatile = [core, working, list, written, said, asked, now];
  const system = join(prefix);
  const prompt = join(volatile);
  const tokens = estimateTokens(system) + estimateTokens(prompt);
  const parts = [...receipts(prefix, "system", input), ...receipts(volatile, "prompt", input)];
  return { system, prompt, receipt: { budget: input.budget, tokens, overBudget: tokens > input.budget, parts } };
}

function cost(sections: readonly PromptSection[]): number {
  return sections.reduce((sum, { tokens }) => sum + tokens, 0);
}

function join(sections: readonly PromptSection[]): string {
  return sections
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join(GAP);
}

function receipts(
  sections: readonly PromptSection[],
  place: PartReceipt["place"],
  { problems }: PromptInput,
): PartReceipt[] {
  return sections
    .map(({ part, tokens, items, names, leftOut: lost }) => {
      const unreadable = problems.filter((each) => each.part === part).map(({ problem }) => problem);
      return { part, place, tokens, items, names, leftOut: [...lost, ...leftOut("unreadable", unreadable)] };
    })
    .filter(({ tokens, leftOut: lost }) => tokens > 0 || lost.length > 0);
}
