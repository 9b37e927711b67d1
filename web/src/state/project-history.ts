import { useLayoutEffect } from "preact/hooks";
import { hrefOf, type Route } from "./route.ts";

/** The view each project was left at, as the fragment of the address. */
const lastView = new Map<string, string>();

/** The view that a project shows when it is selected next. */
export function rememberView(project: string, route: Route): void {
  lastView.set(project, hrefOf(route));
}

/**
 * Binds the entries of the browser history to the project they were seen in. The way back leads to that project, and a
 * project that is selected again shows the view it was left at. Returns the function that selects a project.
 */
export function useProjectHistory(project: string, onProject: (dir: string) => void): (dir: string) => void {
  useLayoutEffect(() => {
    const bindEntry = (): void => {
      const seenIn = projectOf(history.state);
      if (seenIn === undefined) history.replaceState({ project }, "");
      else if (seenIn !== project) onProject(seenIn);
    };
    history.replaceState({ project }, "");
    // A link makes an entry without a project. Going back between two views of the same name changes no fragment.
    addEventListener("hashchange", bindEntry);
    addEventListener("popstate", bindEntry);
    return () => {
      removeEventListener("hashchange", bindEntry);
      removeEventListener("popstate", bindEntry);
    };
  }, [project]);
  return (dir) => {
    if (dir === project) return;
    lastView.set(project, location.hash);
    history.pushState({ project: dir }, "", lastView.get(dir) ?? hrefOf({ view: "overview" }));
    onProject(dir);
  };
}

function projectOf(state: unknown): string | undefined {
  const { project } = (state ?? {}) as { readonly project?: unknown };
  return typeof project === "string" ? project : undefined;
}
