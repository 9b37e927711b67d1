import { useEffect, useState } from "preact/hooks";
import { visibleText } from "../text/visible-text.ts";

/** What came of an action. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "good" | "bad";
}

const NOTICE_MS = 8_000;
const MAX_SHOWN = 4;

/** Adds a notice. None takes the place of another one that was not read; the same text is shown once. */
export function addNotice(notices: readonly Notice[], notice: Notice): readonly Notice[] {
  const others = notices.filter(({ text, kind }) => text !== notice.text || kind !== notice.kind);
  const good = others.filter(({ kind }) => kind === "good");
  const tooMany = others.length + 1 - MAX_SHOWN;
  const dropped = new Set(good.slice(0, Math.max(0, tooMany)).map(({ id }) => id));
  return [...others.filter(({ id }) => !dropped.has(id)), notice];
}

/**
 * Notices have a place of their own below the view, so that they hide nothing. A failure stays until the person closes
 * it; anything else goes after a while, but not while the pointer or the focus is on it.
 */
export function Notices({
  notices,
  onClose,
}: {
  readonly notices: readonly Notice[];
  readonly onClose: (id: number) => void;
}) {
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} onClose={() => onClose(notice.id)} />
      ))}
    </div>
  );
}

function NoticeLine({ notice: { text, kind }, onClose }: { readonly notice: Notice; readonly onClose: () => void }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (kind === "bad" || held) return undefined;
    const timer = setTimeout(onClose, NOTICE_MS);
    return () => clearTimeout(timer);
  }, [kind, held]);
  return (
    <p
      class={`page-notice ${kind}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span>{visibleText(text)}</span>
      <button type="button" class="link dim" aria-label="Close this notice" onClick={onClose}>
        ✕
      </button>
    </p>
  );
}
