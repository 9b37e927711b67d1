import { useEffect, useRef, useState } from "preact/hooks";
import type { MessageView } from "../../../../src/contract/messages.ts";
import type { DaemonError } from "../../connection/daemon.ts";
import { PAGE_MESSAGES, withEarlier, withLater, type MessageWindow } from "./message-window.ts";
import { usePage, useTeam } from "../page-context.ts";
import { createRefresher, type LoadResult, type Refresher } from "../refresher.ts";

/** A part of the messages of a space, kept current. It never holds more than a few pages. */
export interface LoadedMessages {
  /** Undefined before the first answer. */
  readonly window: MessageWindow | undefined;
  readonly error: DaemonError | undefined;
  loadEarlier(): Promise<void>;
  loadLater(): Promise<void>;
  /** Shows the newest messages again. */
  loadNewest(): Promise<void>;
}

const NOTHING: MessageWindow = { messages: [], hasEarlier: false, hasLater: false };
const MIN_INTERVAL_MS = 50;

/** `named`: begin around the message of this sequence number. `isAtEnd`: the person sees the end of the window. */
export function useMessages(
  space: string,
  named: number | undefined,
  isAtEnd: { readonly current: boolean },
): LoadedMessages {
  const { daemon } = usePage();
  const [window, setWindow] = useState<MessageWindow>();
  const [error, setError] = useState<DaemonError>();
  const version = useTeam(({ spaces }) => spaces.get(space) ?? 0);
  const loaded = useRef<MessageWindow>(undefined);
  const loading = useRef(false);
  const refresher = useRef<Refresher>(undefined);

  const show = (next: MessageWindow): void => {
    loaded.current = next;
    setWindow(next);
    setError(undefined);
  };
  const read = async (part: {
    readonly since?: number;
    readonly before?: number;
  }): Promise<readonly MessageView[] | undefined> => {
    const page = await daemon.call("peek-channel", { target: space, limit: PAGE_MESSAGES, ...part });
    if (page.ok) return page.value.messages;
    setError(page.error);
    return undefined;
  };
  const loadNewest = async (): Promise<LoadResult> => {
    const page = await read({});
    if (page === undefined) return "incomplete";
    show(withEarlier(NOTHING, page, PAGE_MESSAGES));
    return "complete";
  };
  const loadAround = async (seq: number): Promise<LoadResult> => {
    const before = await read({ before: seq + 1 });
    const after = await read({ since: seq });
    if (before === undefined || after === undefined) return "incomplete";
    show(withLater(withEarlier(NOTHING, before, PAGE_MESSAGES), after, PAGE_MESSAGES));
    return "complete";
  };
  /** What is new is shown at the end. A person who reads further up is told of it, and nothing moves. */
  const loadNew = async (current: MessageWindow): Promise<LoadResult> => {
    if (current.hasLater) return "complete";
    const page = await read({ since: current.messages.at(-1)?.seq ?? 0 });
    if (page === undefined) return "incomplete";
    const next = withLater(current, page, PAGE_MESSAGES);
    if (next.hasLater && isAtEnd.current) return loadNewest();
    show(isAtEnd.current || next.messages[0] === current.messages[0] ? next : { ...current, hasLater: true });
    return "complete";
  };

  useEffect(() => {
    const created = createRefresher(async () => {
      if (loaded.current !== undefined) return loadNew(loaded.current);
      return named === undefined ? loadNewest() : loadAround(named);
    }, MIN_INTERVAL_MS);
    refresher.current = created;
    created.refresh();
    return () => created.stop();
  }, [daemon, space]);
  useEffect(() => {
    if (version > 0) refresher.current?.refresh();
  }, [version]);
  useEffect(() => {
    const isThere = loaded.current?.messages.some(({ seq }) => seq === named) ?? true;
    if (named !== undefined && !isThere) void loadAround(named);
  }, [named]);

  const once = async (work: (current: MessageWindow) => Promise<void>): Promise<void> => {
    if (loading.current || loaded.current === undefined) return;
    loading.current = true;
    await work(loaded.current);
    loading.current = false;
  };
  return {
    window,
    error,
    loadEarlier: () =>
      once(async ({ hasEarlier, messages: [first] }) => {
        const page = hasEarlier && first !== undefined ? await read({ before: first.seq }) : undefined;
        if (page !== undefined) show(withEarlier(loaded.current ?? NOTHING, page, PAGE_MESSAGES));
      }),
    loadLater: () =>
      once(async ({ hasLater, messages }) => {
        const last = messages.at(-1);
        const page = hasLater && last !== undefined ? await read({ since: last.seq }) : undefined;
        if (page !== undefined) show(withLater(loaded.current ?? NOTHING, page, PAGE_MESSAGES));
      }),
    async loadNewest() {
      await loadNewest();
    },
  };
}
