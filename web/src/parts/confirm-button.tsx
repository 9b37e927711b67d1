import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isMeantForQuestion, QUESTION_STEADY_MS } from "../state/second-question.ts";

/**
 * A button for an action that cannot be undone: the first click asks for confirmation. The question takes no answer in
 * its first moment, and none from a double click or a key that is held down.
 */
export function ConfirmButton({
  label,
  onConfirm,
  prominent = false,
  disabled = false,
}: {
  readonly label: string;
  readonly onConfirm: () => void;
  /** As large as the buttons beside it. */
  readonly prominent?: boolean;
  readonly disabled?: boolean;
}) {
  const [confirming, setConfirming] = useState(false);
  const [steady, setSteady] = useState(false);
  const askedAt = useRef(0);
  useLayoutEffect(() => {
    setSteady(false);
    if (!confirming) return undefined;
    askedAt.current = performance.now();
    const timer = setTimeout(() => setSteady(true), QUESTION_STEADY_MS);
    return () => clearTimeout(timer);
  }, [confirming]);
  const press = (event: MouseEvent): void => {
    if (!confirming) return setConfirming(true);
    if (!isMeantForQuestion(askedAt.current, event)) return;
    setConfirming(false);
    onConfirm();
  };
  return (
    <button
      type="button"
      class={`button confirm ${confirming ? "bad" : prominent ? "" : "quiet"} ${prominent ? "prominent" : ""}`}
      disabled={disabled}
      {...(confirming && !steady ? { "aria-disabled": true } : {})}
      onClick={press}
      onKeyDown={(event) => void (event.repeat && event.key === "Enter" && event.preventDefault())}
      onBlur={() => setConfirming(false)}
    >
      {/* Both texts have the same place, so that the button keeps its size and the one beside it does not move. */}
      <span class={confirming ? "out-of-sight" : ""}>{label}</span>
      <span class={confirming ? "" : "out-of-sight"}>Really {label.toLowerCase()}?</span>
    </button>
  );
}
