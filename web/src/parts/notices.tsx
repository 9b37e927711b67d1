import { useEffect, useState } from "preact/hooks";
import { NOTICE_MS, type Notice } from "../state/notices.ts";
import { visibleText } from "../text/visible-text.ts";

/**
 * Notices have a place of their own below the view, so that they hide nothing. A failure stays until the person closes
 * it, leaves the view, or succeeds later; anything else goes after a while, but not while the pointer or the focus is on it.
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
