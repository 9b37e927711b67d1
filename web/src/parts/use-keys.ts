import { useEffect, useRef } from "preact/hooks";
import { useTeam } from "../state/page-context.ts";
import { addressOf, placeAt } from "../state/place.ts";

/** The keys that work everywhere: go anywhere, write, and the channel above or below. */
export function useKeys(onSwitch: () => void): void {
  const spaces = useTeam(({ workspaces, agents }) =>
    [
      ...workspaces.filter(({ state }) => state === "open").map(({ space }) => space),
      ...agents.map(({ name }) => name),
    ].join("\n"),
  );
  const inOrder = useRef<readonly string[]>([]);
  inOrder.current = spaces.split("\n");
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const writing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        onSwitch();
      } else if (event.key === "/" && !writing) {
        event.preventDefault();
        document.getElementById("composer")?.focus();
      } else if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
        event.preventDefault();
        move(inOrder.current, event.key === "ArrowDown" ? 1 : -1);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function move(spaces: readonly string[], by: number): void {
  const place = placeAt(location.hash);
  const at = place.view === "channel" ? spaces.indexOf(place.space) : by > 0 ? -1 : 0;
  const space = spaces[(at + by + spaces.length) % spaces.length];
  if (space !== undefined && space !== "") location.hash = addressOf({ view: "channel", space });
}
