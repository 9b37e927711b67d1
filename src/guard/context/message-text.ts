import type { PromptMessage } from "./prompt-input.ts";
import { asData, section, type Attributes } from "./section-markup.ts";

/**
 * A message as agents read it, in prompts and in results of tools. Whose words it is, its time and its ids are attributes
 * from the store; the body is data and cannot imitate them.
 */
export function messageText(message: PromptMessage, more: Attributes = {}): string {
  const { id, seq, from, onBehalfOf, to, kind, body, resource, at } = message;
  const attributes = {
    // Set only where every word is that person's: see decision 42.
    from: onBehalfOf ?? from,
    to,
    at: at === null ? null : timeText(at),
    kind: kind === "message" ? null : kind,
    id,
    seq,
    resource,
    ...more,
  };
  return section("message", attributes, asData(body));
}

/** To the second, UTC. */
export function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, -".000Z".length)}Z`;
}
