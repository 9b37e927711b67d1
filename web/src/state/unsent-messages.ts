/** What a person wrote to one target and did not send yet, and what became of the last message. */
export interface UnsentMessage {
  readonly text: string;
  /** The only recipient. Empty: everybody in the channel. */
  readonly to: string;
  readonly sending: boolean;
  /** The same until the text changes, so that sending it again cannot post it twice. */
  readonly idempotencyKey: string | undefined;
  /** The recipients of the last message, or that it was not sent. */
  readonly status: string;
}

/** The unsent messages of one project by target, until the page is closed. */
export interface UnsentMessages {
  get(target: string): UnsentMessage;
  change(target: string, changed: Partial<UnsentMessage>): void;
  subscribe(listener: () => void): () => void;
}

const EMPTY: UnsentMessage = { text: "", to: "", sending: false, idempotencyKey: undefined, status: "" };

function createUnsentMessages(): UnsentMessages {
  const byTarget = new Map<string, UnsentMessage>();
  const listeners = new Set<() => void>();
  const get = (target: string): UnsentMessage => byTarget.get(target) ?? EMPTY;
  return {
    get,
    change(target, changed) {
      byTarget.set(target, { ...get(target), ...changed });
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const byProject = new Map<string, UnsentMessages>();

/** Returns those of a project: the same ones when the person comes back to it. */
export function unsentMessagesOf(project: string): UnsentMessages {
  const unsent = byProject.get(project) ?? createUnsentMessages();
  byProject.set(project, unsent);
  return unsent;
}
