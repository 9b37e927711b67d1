import { formatSpace } from "../domain/message/space.ts";
import { parseTarget, targetSpace } from "../domain/message/target.ts";
import type { Caller } from "../kernel/caller.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";

/**
 * A resource under `agent-worker://`. An agent names only the resource, because its run has one space; a person also
 * names the target. Parts are percent-encoded where necessary. Inboxes and channels can be watched.
 *
 *   agent-worker://inbox              agent-worker://inbox/alice@review
 *   agent-worker://channel            agent-worker://channel/@review
 *   agent-worker://documents/FILE     agent-worker://documents/@review/FILE
 */
export type ResourceAddress =
  | { readonly kind: "inbox"; readonly target?: string }
  | { readonly kind: "channel"; readonly target?: string }
  | { readonly kind: "document"; readonly target?: string; readonly file: string };

const SCHEME = "agent-worker://";
const MAX_LENGTH = 500;

export const INBOX = `${SCHEME}inbox`;
export const CHANNEL = `${SCHEME}channel`;
export const DOCUMENTS = `${SCHEME}documents`;

export function parseAddress(uri: string): ResourceAddress | undefined {
  if (!uri.startsWith(SCHEME) || uri.length > MAX_LENGTH) return undefined;
  const parts = decode(uri.slice(SCHEME.length).split("/"));
  if (parts === undefined || parts.includes("") || parts.length > 3) return undefined;
  const [kind, first, second] = parts;
  if (kind === "documents") {
    if (first === undefined) return undefined;
    return second === undefined ? { kind: "document", file: first } : { kind: "document", target: first, file: second };
  }
  if ((kind !== "inbox" && kind !== "channel") || second !== undefined) return undefined;
  return first === undefined ? { kind } : { kind, target: first };
}

function decode(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return undefined;
  }
}

/** A subscribed resource. `agent` null: the channel itself. `space` null: all spaces of the agent. */
export interface Watched {
  readonly uri: string;
  readonly agent: string | null;
  readonly space: string | null;
}

/** Refuses resources that cannot be watched, and to an agent those that are not its own. */
export function watchedBy(caller: Caller, uri: string): Result<Watched, Refusal> {
  const address = parseAddress(uri);
  if (address === undefined || address.kind === "document") {
    return refuse("invalid", `${uri} cannot be watched.`, { hint: "Inboxes and channels can." });
  }
  if (caller.kind === "agent") {
    if (address.target !== undefined) {
      return refuse("forbidden", `${caller.name} can watch only what is its own here.`, {
        hint: `Subscribe to ${INBOX} or ${CHANNEL}.`,
      });
    }
    return ok({ uri, agent: address.kind === "inbox" ? caller.name : null, space: caller.space });
  }
  if (address.target === undefined) {
    return refuse("invalid", `Whose ${address.kind}?`, { hint: `Name the target: ${uri}/TARGET.` });
  }
  const target = parseTarget(address.target);
  if (!target.ok) return target;
  const space = formatSpace(targetSpace(target.value));
  if (address.kind === "channel") return ok({ uri, agent: null, space });
  if (target.value.kind === "channel") {
    return refuse("invalid", `${address.target} is a channel, and an inbox belongs to an agent.`);
  }
  return ok({ uri, agent: target.value.agent, space: target.value.kind === "dm" ? null : space });
}
