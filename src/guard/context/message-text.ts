import type { SaidMessage } from "./prompt-input.ts";
import { asData, section, type Attributes } from "./section-markup.ts";

/**
 * A message as agents read it, in prompts and in what tools answer. Sender, time and ids are attributes, which come from
 * the store; the text is data, which cannot pretend to be either.
 */
export function messageText(message: SaidMessage, more: Attributes = {}): string {
  const { id, seq, from, to, kind, body, resource, at } = message;
  const attributes = {
    from,
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
