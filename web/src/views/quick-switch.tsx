import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useTeam } from "../state/page-context.ts";
import { hrefOf, type Route } from "../state/route.ts";

const MAX_RESULTS = 12;

/** A dialog that opens a view by a part of its name. */
export function QuickSwitch({ onClose }: { readonly onClose: () => void }) {
  const agents = useTeam((state) => state.agents);
  const workspaces = useTeam((state) => state.workspaces);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, so that the dialog gets the next key that is pressed.
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const routes: readonly (readonly [string, Route])[] = [
    ...workspaces.map(({ space, name }) => [`@${name}`, { view: "channel", space }] as const),
    ...agents.map(({ name }) => [name, { view: "channel", space: name }] as const),
    ["Overview", { view: "overview" }],
    ["Decisions", { view: "decisions" }],
    ["Runs", { view: "runs", target: undefined }],
    ...workspaces.map(
      ({ space, name }) => [`@${name} documents`, { view: "documents", space, file: undefined }] as const,
    ),
    ...agents.map(({ name }) => [`${name} about`, { view: "agent", agent: name }] as const),
  ];
  const typed = text.trim().toLowerCase();
  const found = routes.filter(([label]) => label.toLowerCase().includes(typed)).slice(0, MAX_RESULTS);
  const go = (route: Route | undefined): void => {
    if (route === undefined) return;
    location.hash = hrefOf(route);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined && found.length > 0) {
      event.preventDefault();
      setChosen((chosen + move + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      go(found[chosen]?.[1]);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="quick"
      aria-label="Go to"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        value={text}
        placeholder="Go to…"
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls="quick-places"
        aria-activedescendant={`quick-${chosen}`}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="quick-places" role="listbox" aria-label="Places">
        {found.map(([label, route], at) => (
          <li key={label} id={`quick-${at}`} role="option" aria-selected={at === chosen} onMouseDown={() => go(route)}>
            {label}
          </li>
        ))}
      </ul>
    </dialog>
  );
}
