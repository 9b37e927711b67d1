import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ShownDecision } from "../../state/decision-list.ts";
import { watchPosition } from "../../state/position-watch.ts";
import { visibleText } from "../../text/visible-text.ts";

/** What every card gets besides what it shows. */
export interface CardContext {
  readonly decision: ShownDecision;
  /** The person has decided: the card stays, with the outcome in the place of its buttons. */
  readonly onOutcome: (text: string) => void;
}

export function DecisionCard({
  label,
  decision: { outcome },
  actions,
  undo,
  children,
}: Pick<CardContext, "decision"> & {
  readonly label: string;
  /** Null while the card itself asks for something first. */
  readonly actions: ComponentChildren;
  /** Takes the decision back, where that can be done. */
  readonly undo?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const byKeyboard = useRef(false);
  const place = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone: who goes on with the keyboard goes on from here.
  useLayoutEffect(() => {
    if (outcome !== undefined && byKeyboard.current) place.current?.focus();
  }, [outcome === undefined]);
  return (
    <article
      class="card decision"
      aria-label={label}
      onClickCapture={(event) => void (byKeyboard.current = event.detail === 0)}
    >
      {children}
      {outcome === undefined ? (
        actions === null ? null : (
          <GuardedActions class="actions">{actions}</GuardedActions>
        )
      ) : (
        <p ref={place} class="actions outcome" tabIndex={-1}>
          {visibleText(outcome.text)} {undo}
        </p>
      )}
    </article>
  );
}

/** How long buttons must have been in their place before a click on them counts. */
const STEADY_MS = 500;

/**
 * Buttons that ignore the pointer while they have just appeared or moved: the person may have meant what was there
 * before. They must be in their place when the pointer goes down and when it goes up, on the same card. The keyboard
 * acts on what has the focus, wherever that is.
 */
export function GuardedActions({
  class: className,
  children,
}: {
  readonly class: string;
  readonly children: ComponentChildren;
}) {
  const place = useRef<HTMLDivElement>(null);
  const movedAt = useRef(performance.now());
  const pressedSteady = useRef(false);
  const [steady, setSteady] = useState(false);
  const [ignored, setIgnored] = useState(false);
  const isSteady = (): boolean => performance.now() - movedAt.current >= STEADY_MS;
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const settle = (): void => {
      clearTimeout(timer);
      movedAt.current = performance.now();
      setSteady(false);
      timer = setTimeout(() => setSteady(true), STEADY_MS);
    };
    settle();
    const stop = watchPosition(current, settle);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  const onClick = (event: MouseEvent): void => {
    const byPointer = event.detail > 0;
    const onButton = event.target instanceof Element && event.target.closest("button") !== null;
    const refuses = byPointer && onButton && !(pressedSteady.current && isSteady());
    pressedSteady.current = false;
    setIgnored(refuses);
    if (!refuses) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={place}
      class={className}
      role="group"
      aria-label="Decide"
      aria-disabled={!steady}
      onPointerDownCapture={() => void (pressedSteady.current = isSteady())}
      onClickCapture={onClick}
    >
      {children}
      <span class="card-note" role="status">
        {ignored ? "The card has just moved, so the click did nothing." : null}
      </span>
    </div>
  );
}
