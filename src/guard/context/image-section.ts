import type { PromptInput } from "./prompt-input.ts";
import { promptSection, type PromptSection } from "./prompt-section.ts";
import { section } from "./section-markup.ts";

/** About what a large image costs; providers make larger ones smaller. */
const TOKENS_PER_IMAGE = 1_600;

/** The images of the inbox. Those that the model is shown follow the prompt in this order. */
export function imageSection({ images = [] }: Pick<PromptInput, "images">): PromptSection {
  if (images.length === 0) return promptSection("images", "");
  const shown = images.filter(({ hidden }) => hidden === null);
  const lines = images.map(({ resource, type, bytes, hidden }) => {
    const place = hidden ?? `image ${shown.findIndex((each) => each.resource === resource) + 1} below`;
    return `[resource:${resource}] ${type}, ${bytes} bytes: ${place}`;
  });
  const written = promptSection("images", section("images", {}, lines.join("\n")), {
    items: shown.length,
    names: shown.map(({ resource }) => resource),
    notes: images.flatMap(({ resource, hidden }) => (hidden === null ? [] : [`${resource}: ${hidden}`])),
  });
  return { ...written, tokens: written.tokens + shown.length * TOKENS_PER_IMAGE };
}
