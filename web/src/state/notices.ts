/** What came of an action. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: "good" | "bad";
  /** On the clock of the page. */
  readonly at: number;
}

/** How long a notice is shown at least. */
export const NOTICE_MS = 8_000;
const MAX_SHOWN = 4;

/**
 * Adds a notice. None takes the place of another one that was not read; the same text is shown once. A failure that could
 * be read leaves when something succeeds after it.
 */
export function addNotice(notices: readonly Notice[], notice: Notice): readonly Notice[] {
  const isOver = ({ kind, at }: Notice): boolean =>
    notice.kind === "good" && kind === "bad" && notice.at - at >= NOTICE_MS;
  const others = notices.filter((each) => (each.text !== notice.text || each.kind !== notice.kind) && !isOver(each));
  const good = others.filter(({ kind }) => kind === "good");
  const tooMany = others.length + 1 - MAX_SHOWN;
  const dropped = new Set(good.slice(0, Math.max(0, tooMany)).map(({ id }) => id));
  return [...others.filter(({ id }) => !dropped.has(id)), notice];
}

/** Failures belong to the view in which something was tried. */
export function withoutFailures(notices: readonly Notice[]): readonly Notice[] {
  return notices.some(({ kind }) => kind === "bad") ? notices.filter(({ kind }) => kind !== "bad") : notices;
}
