import type { McpRequest } from "./mcp-request.ts";
import type { Watched } from "./resource-address.ts";

/**
 * Subscriptions of clients of the 2025 protocol. A client subscribes in one request and is notified on another, without
 * a session between the two. They share the token, so a subscription belongs to what the token gives access to: the
 * run's credential or the project.
 */
export interface Subscriptions {
  add(context: McpRequest, watched: Watched): void;
  remove(context: McpRequest, uri: string): void;
  of(context: McpRequest): readonly Watched[];
}

const MAX_SUBSCRIPTIONS = 100;

export function createSubscriptions(): Subscriptions {
  const byOwner = new WeakMap<object, Map<string, Watched>>();
  const ownerOf = ({ identity, project }: McpRequest): object =>
    identity.kind === "run" ? identity.credential : project;
  return {
    add(context, watched) {
      const resources = byOwner.get(ownerOf(context)) ?? new Map<string, Watched>();
      byOwner.set(ownerOf(context), resources);
      resources.delete(watched.uri);
      resources.set(watched.uri, watched);
      const [oldest] = resources.keys();
      if (resources.size > MAX_SUBSCRIPTIONS && oldest !== undefined) resources.delete(oldest);
    },
    remove: (context, uri) => void byOwner.get(ownerOf(context))?.delete(uri),
    of: (context) => [...(byOwner.get(ownerOf(context))?.values() ?? [])],
  };
}
