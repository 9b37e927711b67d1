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
  /** Counts the places that were asked for: what was read for an earlier one is not shown. */
  const place = useRef(0);
  const isFirst = useRef(true);
  const isRefused = useRef(false);

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
    isRefused.current = page.error.code !== "unavailable";
    setError(page.error);
    return undefined;
  };
  /** A refusal is an answer: only a daemon that could not be reached is asked again. */
  const afterRefusal = (): LoadResult => (isRefused.current ? "complete" : "incomplete");
  const loadNewest = async (at = place.current): Promise<LoadResult> => {
    const page = await read({});
    if (page === undefined) return afterRefusal();
    if (at !== place.current) return "complete";
    show(withEarlier(NOTHING, page, PAGE_MESSAGES));
    return "complete";
  };
  const loadAround = async (seq: number): Promise<LoadResult> => {
    const at = place.current;
    const before = await read({ before: seq + 1 });
    const after = await read({ since: seq });
    if (before === undefined || after === undefined) return afterRefusal();
    if (at !== place.current) return "complete";
    // What was asked for meanwhile belongs to the window that is replaced.
    place.current += 1;
    show(withLater(withEarlier(NOTHING, before, PAGE_MESSAGES), after, PAGE_MESSAGES));
    return "complete";
  };
  /** What is new is shown at the end. A person who reads further up is told of it, and nothing moves. */
  const loadNew = async (current: MessageWindow): Promise<LoadResult> => {
    if (current.hasLater) return "complete";
    const at = place.current;
    const page = await read({ since: current.messages.at(-1)?.seq ?? 0 });
    if (page === undefined) return afterRefusal();
    if (at !== place.current) return "complete";
    const next = withLater(current, page, PAGE_MESSAGES);
    if (next.hasLater && isAtEnd.current) return loadNewest(at);
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
    // The first place is loaded above.
    const isOther = !isFirst.current;
    isFirst.current = false;
    const isThere = loaded.current?.messages.some(({ seq }) => seq === named) === true;
    if (named === undefined || isThere || !isOther) return;
    place.current += 1;
    void loadAround(named);
  }, [named]);

  /** Adds a page to the window, unless another place was asked for meanwhile. */
  const extend = async (
    pageOf: (current: MessageWindow) => Promise<readonly MessageView[] | undefined> | undefined,
    extended: typeof withLater,
  ): Promise<void> => {
    const { current } = loaded;
    if (loading.current || current === undefined) return;
    loading.current = true;
    const at = place.current;
    const page = await pageOf(current);
    if (page !== undefined && at === place.current) show(extended(loaded.current ?? NOTHING, page, PAGE_MESSAGES));
    loading.current = false;
  };
  return {
    window,
    error,
    loadEarlier: () =>
      extend(({ hasEarlier, messages: [first] }) => {
        return hasEarlier && first !== undefined ? read({ before: first.seq }) : undefined;
      }, withEarlier),
    loadLater: () =>
      extend(({ hasLater, messages }) => {
        const last = messages.at(-1);
        return hasLater && last !== undefined ? read({ since: last.seq }) : undefined;
      }, withLater),
    async loadNewest() {
      place.current += 1;
      await loadNewest();
    },
  };
}
