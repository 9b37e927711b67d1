import type { PageKeyView } from "../../../src/contract/service/page.ts";

/**
 * The key of this browser's session is in the local storage: all tabs of this origin can read it, and no other origin,
 * which includes the port. Alone it signs nobody in; the other half is in a cookie that no script can read. The selected
 * project is the tab's own; a new tab begins with the one that was selected last.
 */
export const SESSION_ITEM = "agent-worker.session";
const PROJECT = "agent-worker.project";

/** Read for every request: another tab may have signed in again, or out. */
export function storedSession(): PageKeyView | undefined {
  const stored = localStorage.getItem(SESSION_ITEM);
  return stored === null ? undefined : (JSON.parse(stored) as PageKeyView);
}

export function storeSession(session: PageKeyView): void {
  localStorage.setItem(SESSION_ITEM, JSON.stringify(session));
}

export function removeSession(): void {
  localStorage.removeItem(SESSION_ITEM);
}

export function storedProject(): string | undefined {
  return sessionStorage.getItem(PROJECT) ?? localStorage.getItem(PROJECT) ?? undefined;
}

export function storeProject(project: string): void {
  sessionStorage.setItem(PROJECT, project);
  localStorage.setItem(PROJECT, project);
}
