import { tokensOfWeight } from "./estimate-tokens.ts";
import { imageSection } from "./image-section.ts";
import { expectation, inbox } from "./inbox-sections.ts";
import { coreMemory, todos, workingMemory } from "./personal-sections.ts";
import { messageSection } from "./message-section.ts";
import type { PromptInput } from "./prompt-input.ts";
import { promptPiece, textOf, weightOf, type PromptPiece } from "./prompt-piece.ts";
import { leftOut, type PartReceipt, type PromptReceipt } from "./prompt-receipt.ts";
import { GAP, type PromptSection } from "./prompt-section.ts";
import { stablePrefix } from "./stable-prefix.ts";
import { documents } from "./workspace-sections.ts";

/** Default token budget of a prompt. It leaves every current model enough room for its work. */
export const DEFAULT_PROMPT_BUDGET = 32_000;

export interface AssembledPrompt {
  /** The same bytes in every run of an agent in a workspace: see `stablePrefix`. */
  readonly system: string;
  readonly prompt: string;
  /** The prompt in pieces. */
  readonly pieces: readonly PromptPiece[];
  readonly receipt: PromptReceipt;
  /** Where the first message is that is shown, when earlier ones are not; otherwise null. See `EarlierMessages.by`. */
  readonly shownFrom: number | null;
}

/**
 * Chooses the content of a prompt. System text, core memory and inbox are always included completely. The rest gets
 * what is left of the budget, in this order: todos, working memory, documents, messages. The messages get all of the rest.
 */
export function assemblePrompt(input: PromptInput): AssembledPrompt {
  const prefix = stablePrefix(input);
  const core = coreMemory(input.personal);
  const deliveries = inbox(input);
  const images = imageSection(input);
  const now = expectation(input);

  let left = input.budget - cost([...prefix, core, deliveries, images, now]);
  const take = (make: (allowed: number) => PromptSection): PromptSection => {
    const section = make(Math.max(0, left));
    left -= section.tokens;
    return section;
  };
  const todoList = take((allowed) => todos(input.personal, allowed));
  const working = take((allowed) => workingMemory(input, core.tokens, allowed));
  const files = take((allowed) => documents(input, allowed));
  const messages = take((allowed) => messageSection(input, allowed));

  const volatile = [core, working, todoList, files, messages, deliveries, images, now];
  const system = join(prefix);
  const pieces = join(volatile);
  const shownImages = images.tokens - tokensOfWeight(weightOf(images.pieces));
  const tokens = tokensOfWeight(weightOf(system)) + tokensOfWeight(weightOf(pieces)) + shownImages;
  const parts = [...receipts(prefix, "system", input), ...receipts(volatile, "prompt", input)];
  const receipt = { budget: input.budget, tokens, overBudget: tokens > input.budget, parts };
  return { system: textOf(system), prompt: textOf(pieces), pieces, receipt, shownFrom: messages.shownFrom ?? null };
}

function cost(sections: readonly PromptSection[]): number {
  return sections.reduce((sum, { tokens }) => sum + tokens, 0);
}

const GAP_PIECE = promptPiece(GAP);

function join(sections: readonly PromptSection[]): readonly PromptPiece[] {
  const filled = sections.filter(({ pieces }) => pieces.length > 0);
  return filled.flatMap(({ pieces }, index) => (index === 0 ? pieces : [GAP_PIECE, ...pieces]));
}

function receipts(
  sections: readonly PromptSection[],
  place: PartReceipt["place"],
  { problems }: PromptInput,
): PartReceipt[] {
  return sections
    .map(({ part, tokens, items, names, leftOut: missing, notes }) => {
      const unreadable = problems.filter((each) => each.part === part).map(({ problem }) => problem);
      const omitted = [...missing, ...leftOut("unreadable", unreadable)];
      return { part, place, tokens, items, names, leftOut: omitted, ...(notes === undefined ? {} : { notes }) };
    })
    .filter(({ tokens, leftOut: missing }) => tokens > 0 || missing.length > 0);
}
