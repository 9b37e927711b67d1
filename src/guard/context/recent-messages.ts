import { earlierKey } from "../../domain/workspace/instance.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { PromptMessage } from "./prompt-input.ts";

/**
 * A cache of the last messages of busy spaces. Messages never change, so a run reads only those since the run before it.
 * It returns the same objects each time, so that their formatted text can be cached by object.
 */
export interface RecentMessages {
  /** Oldest first. `instance` is the number of the current instance of a workspace. */
  read(store: StoreReads, space: string, instance?: number): Promise<readonly PromptMessage[]>;
  /** The direct messages are now those of another agent of the same name. */
  forget(agent: string): void;
}

/** A prompt shows at most this many messages, fewer when the token budget is used up. */
const MOST_MESSAGES = 50;
const MOST_SPACES = 200;

export function createRecentMessages(): RecentMessages {
  const spaces = new Map<string, readonly PromptMessage[]>();
  return {
    async read(store, space, instance = 0) {
      const key = earlierKey(space, instance);
      const cached = spaces.get(key) ?? [];
      const after = cached.at(-1)?.seq ?? null;
      const since = after === null ? null : await store.messages.page({ space, after, limit: MOST_MESSAGES });
      // A full page may not reach the newest message.
      const messages =
        since === null || since.length === MOST_MESSAGES
          ? (await store.messages.page({ space, limit: MOST_MESSAGES })).map(toPromptMessage)
          : [...cached, ...since.map(toPromptMessage)].slice(-MOST_MESSAGES);
      spaces.delete(key);
      if (spaces.size >= MOST_SPACES) spaces.delete(spaces.keys().next().value ?? "");
      spaces.set(key, messages);
      return messages;
    },
    forget: (agent) => void spaces.delete(earlierKey(agent, 0)),
  };
}

export function toPromptMessage(message: MessageRecord): PromptMessage {
  const { id, seq, sender, onBehalfOf, addressee, kind, body, resource, createdAt } = message;
  return { id, seq, from: sender, onBehalfOf, to: addressee, kind, body, resource, at: createdAt };
}
