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

/** The unsent messages of one project by target. What was written survives a reload of the page, in its own tab. */
export interface UnsentMessages {
  get(target: string): UnsentMessage;
  change(target: string, changed: Partial<UnsentMessage>): void;
  subscribe(listener: () => void): () => void;
}

const EMPTY: UnsentMessage = { text: "", to: "", sending: false, idempotencyKey: undefined, status: "" };

function createUnsentMessages(project: string): UnsentMessages {
  const item = `agent-worker.unsent.${project}`;
  const byTarget = new Map<string, UnsentMessage>(readStored(item));
  const listeners = new Set<() => void>();
  const get = (target: string): UnsentMessage => byTarget.get(target) ?? EMPTY;
  return {
    get,
    change(target, changed) {
      byTarget.set(target, { ...get(target), ...changed });
      store(item, byTarget);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type Stored = Pick<UnsentMessage, "text" | "to" | "idempotencyKey">;

function readStored(item: string): [string, UnsentMessage][] {
  try {
    const stored = JSON.parse(sessionStorage.getItem(item) ?? "[]") as [string, Stored][];
    return stored.map(([target, written]) => [target, { ...EMPTY, ...written }]);
  } catch {
    return [];
  }
}

/** Written texts are stored with their key: one that was being sent during a reload is not posted twice. */
function store(item: string, byTarget: ReadonlyMap<string, UnsentMessage>): void {
  const written = [...byTarget].flatMap(([target, { text, to, idempotencyKey }]): [string, Stored][] =>
    text === "" ? [] : [[target, { text, to, idempotencyKey }]],
  );
  try {
    sessionStorage.setItem(item, JSON.stringify(written));
  } catch {
    // A full or forbidden storage costs only the text of a reload.
  }
}

const byProject = new Map<string, UnsentMessages>();

/** Returns those of a project: the same ones when the person comes back to it. */
export function unsentMessagesOf(project: string): UnsentMessages {
  const unsent = byProject.get(project) ?? createUnsentMessages(project);
  byProject.set(project, unsent);
  return unsent;
}
