import { useEffect, useState } from "preact/hooks";
import type { FoundView } from "../../../../src/contract/reading/search.ts";
import { usePage } from "../page-context.ts";

/** What was found for a text so far. */
export interface SearchState {
  /** Undefined while the first part is looked for, or nothing was typed. */
  readonly found: FoundView | undefined;
  readonly busy: boolean;
  /** Looks at earlier messages. */
  more(): void;
}

const TYPING_MS = 200;
const SHORTEST = 2;

/** Searches when the person stops typing. A later text makes earlier answers void. */
export function useSearch(text: string): SearchState {
  const { daemon } = usePage();
  const [found, setFound] = useState<FoundView>();
  const [before, setBefore] = useState<number>();
  const [busy, setBusy] = useState(false);
  const typed = text.trim();
  useEffect(() => {
    setFound(undefined);
    setBefore(undefined);
  }, [typed]);
  useEffect(() => {
    if (typed.length < SHORTEST) return;
    let active = true;
    setBusy(true);
    const look = async (): Promise<void> => {
      const result = await daemon.call("search", { text: typed, ...(before === undefined ? {} : { before }) });
      if (!active) return;
      setBusy(false);
      if (result.ok)
        setFound((last) => (last === undefined || before === undefined ? result.value : join(last, result.value)));
    };
    const timer = setTimeout(() => void look(), TYPING_MS);
    return () => {
      active = false;
      clearTimeout(timer);
      setBusy(false);
    };
  }, [daemon, typed, before]);
  return {
    found,
    busy,
    more: () => {
      if (found?.next != null) setBefore(found.next);
    },
  };
}

function join(first: FoundView, { messages, next }: FoundView): FoundView {
  return { ...first, messages: [...first.messages, ...messages], next };
}
