import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useTeam } from "../state/page-context.ts";
import { foundOptions, placeOptions, type QuickItem } from "../state/reading/quick-options.ts";
import { hrefOf } from "../state/route.ts";
import { useSearch } from "../state/reading/use-search.ts";
import { visibleText } from "../text/visible-text.ts";

/** A dialog that finds a view by its name, and a text wherever it was said or written. */
export function QuickSwitch({
  commands,
  onClose,
}: {
  readonly commands: readonly QuickItem[];
  readonly onClose: () => void;
}) {
  const agents = useTeam((state) => state.agents);
  const workspaces = useTeam((state) => state.workspaces);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const { found, busy, more } = useSearch(text);
  // A layout effect, so that the dialog gets the next key that is pressed.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useLayoutEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const options: readonly QuickItem[] = [
    ...placeOptions(text, { workspaces, agents, commands }),
    ...(found === undefined ? [] : foundOptions(text, found)),
    ...(found?.next == null
      ? []
      : [{ key: "more", kind: "more", label: "Look at earlier messages", run: more } as const]),
  ];
  const go = (option: QuickItem | undefined): void => {
    if (option === undefined) return;
    if (option.route !== undefined) location.hash = hrefOf(option.route);
    option.run?.();
    if (option.kind !== "more") onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined && options.length > 0) {
      event.preventDefault();
      setChosen((chosen + move + options.length) % options.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      go(options[chosen]);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="quick"
      aria-label="Search"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        value={text}
        placeholder="Go to, or find a text…"
        role="combobox"
        aria-label="Go to, or find a text"
        aria-expanded="true"
        aria-controls="quick-places"
        aria-activedescendant={`quick-${chosen}`}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="quick-places" role="listbox" aria-label="Found">
        {options.map((option, at) => (
          <li
            key={option.key}
            id={`quick-${at}`}
            role="option"
            aria-selected={at === chosen}
            class={`quick-${option.kind}`}
            onMouseDown={(event) => {
              event.preventDefault();
              go(option);
            }}
          >
            <span class="quick-label">{visibleText(option.label)}</span>
            {option.kind === "place" || option.kind === "more" ? null : (
              <span class="dim quick-detail">
                {option.kind}
                {option.detail === undefined ? "" : `, ${visibleText(option.detail)}`}
              </span>
            )}
          </li>
        ))}
      </ul>
      <p class="dim quick-state" role="status">
        {busy
          ? "Looking…"
          : found !== undefined && foundOptions(text, found).length === 0
            ? found.next === null
              ? "The text is in no message, document or run."
              : "Not in the newest messages."
            : ""}
      </p>
    </dialog>
  );
}
