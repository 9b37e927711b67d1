import { useEffect, useRef } from "preact/hooks";
import { useTeam } from "../state/page-context.ts";
import { hrefOf, parseRoute } from "../state/route.ts";

/** The keys that work in all views: quick switch, write a message, previous and next channel. */
export function useKeys(onSwitch: () => void): void {
  const spaces = useTeam(({ workspaces, agents }) =>
    [
      ...workspaces.filter(({ state }) => state === "open").map(({ space }) => space),
      ...agents.map(({ name }) => name),
    ].join("\n"),
  );
  const ordered = useRef<readonly string[]>([]);
  ordered.current = spaces.split("\n");
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
        move(ordered.current, event.key === "ArrowDown" ? 1 : -1);
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function move(spaces: readonly string[], by: number): void {
  const route = parseRoute(location.hash);
  const at = route.view === "channel" ? spaces.indexOf(route.space) : by > 0 ? -1 : 0;
  const space = spaces[(at + by + spaces.length) % spaces.length];
  if (space !== undefined && space !== "") location.hash = hrefOf({ view: "channel", space });
}
