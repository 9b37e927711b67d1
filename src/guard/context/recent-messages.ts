import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { SaidMessage } from "./prompt-input.ts";

/**
 * The last messages of the spaces that are busy. Messages never change, so what was read once is only added to: a run
 * reads what was said since the run before it. What is handed out are the same objects each time, so that whoever puts
 * them into words can remember the words.
 */
export interface RecentMessages {
  /** Oldest first. */
  read(store: StoreReads, space: string): Promise<readonly SaidMessage[]>;
}

/** How far back a prompt looks; how much of it is shown is a question of tokens. */
const KEPT = 50;
const MOST_SPACES = 200;

export function createRecentMessages(): RecentMessages {
  const spaces = new Map<string, readonly SaidMessage[]>();
  return {
    async read(store, space) {
      const known = spaces.get(space) ?? [];
      const after = known.at(-1)?.seq ?? null;
      const since = after === null ? [] : await store.messages.page({ space, after, limit: KEPT });
      const fresh = after === null || since.length === KEPT ? await store.messages.page({ space, limit: KEPT }) : null;
      const said = fresh === null ? [...known, ...since.map(toSaid)].slice(-KEPT) : fresh.map(toSaid);
      spaces.delete(space);
      if (spaces.size >= MOST_SPACES) spaces.delete(spaces.keys().next().value ?? "");
      spaces.set(space, said);
      return said;
    },
  };
}

export function toSaid(message: MessageRecord): SaidMessage {
  const { id, seq, sender, addressee, kind, body, resource, createdAt } = message;
  return { id, seq, from: sender, to: addressee, kind, body, resource, at: createdAt };
}
