import type { PromptMessage } from "./prompt-input.ts";
import { asData, attribute, attributesText, framed, type Attributes } from "./section-markup.ts";

/**
 * A message as agents read it, in prompts and in results of tools. Whose words it is, its time and its ids are attributes
 * from the store; the body is data and cannot imitate them.
 */
export function messageText(message: PromptMessage, more?: Attributes): string {
  const { id, seq, from, onBehalfOf, to, kind, body, resource, at } = message;
  // Each prompt has hundreds of messages: no object is made for their attributes.
  const written =
    // Set only where every word is that person's: see decision 42.
    attribute("from", onBehalfOf ?? from) +
    attribute("to", to) +
    (at === null ? "" : attribute("at", timeText(at))) +
    (kind === "message" ? "" : attribute("kind", kind)) +
    attribute("id", id) +
    attribute("seq", seq) +
    attribute("resource", resource) +
    (more === undefined ? "" : attributesText(more));
  return framed("message", written, asData(body));
}

/** To the second, UTC. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, -".000Z".length)}Z`;
}
