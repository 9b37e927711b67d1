import type { McpExchange } from "./mcp-request.ts";
import type { Watched } from "./resource-address.ts";

/**
 * What clients of the 2025 protocol have subscribed to. They say so in one request and are told on another, and there
 * are no sessions between the two: what they have in common is the token, so it is kept with what the token opens and
 * forgotten with it.
 */
export interface Subscriptions {
  add(exchange: McpExchange, watched: Watched): void;
  remove(exchange: McpExchange, uri: string): void;
  of(exchange: McpExchange): readonly Watched[];
}

const MOST = 100;

export function createSubscriptions(): Subscriptions {
  const kept = new WeakMap<object, Map<string, Watched>>();
  const ownerOf = ({ identity, project }: McpExchange): object =>
    identity.kind === "run" ? identity.credential : project;
  return {
    add(exchange, watched) {
      const mine = kept.get(ownerOf(exchange)) ?? new Map<string, Watched>();
      kept.set(ownerOf(exchange), mine);
      mine.delete(watched.uri);
      mine.set(watched.uri, watched);
      const [oldest] = mine.keys();
      if (mine.size > MOST && oldest !== undefined) mine.delete(oldest);
    },
    remove: (exchange, uri) => void kept.get(ownerOf(exchange))?.delete(uri),
    of: (exchange) => [...(kept.get(ownerOf(exchange))?.values() ?? [])],
  };
}
