import { useState } from "preact/hooks";
import { useTeam } from "../../state/page-context.ts";
import { hrefOf, type Route } from "../../state/route.ts";
import { spaceName } from "../../text/space-name.ts";

const MOST = 20;

/** A field that leads to a workspace or an agent. It offers only what fits the text, because there may be hundreds. */
export function PlaceChoice({
  label,
  place = "",
  routeOf,
}: {
  readonly label: string;
  readonly place?: string;
  /** Undefined: the whole project. */
  readonly routeOf: (place: string | undefined) => Route;
}) {
  const agents = useTeam((state) => state.agents);
  const workspaces = useTeam((state) => state.workspaces);
  const [text, setText] = useState(spaceName(place));
  const places = new Map([
    ...workspaces.map(({ space }) => [spaceName(space), space] as const),
    ...agents.map(({ name }) => [name, name] as const),
  ]);
  const typed = text.trim().toLowerCase();
  const fitting = [...places.keys()].filter((name) => name.toLowerCase().includes(typed)).slice(0, MOST);
  const choose = (value: string): void => {
    setText(value);
    const chosen = places.get(value.trim());
    if (chosen !== undefined || value.trim() === "") location.hash = hrefOf(routeOf(chosen));
  };
  return (
    <label class="place-choice">
      {label}{" "}
      <input
        list="place-names"
        value={text}
        placeholder="the whole project"
        onInput={(event) => choose(event.currentTarget.value)}
      />
      <datalist id="place-names">
        {fitting.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
