/**
 * The token and the selected project of this tab. They are in the session storage: no other tab or origin can read them,
 * and they are removed with the tab.
 */
const TOKEN = "agent-worker.token";
const PROJECT = "agent-worker.project";

export function storedToken(): string | undefined {
  return sessionStorage.getItem(TOKEN) ?? undefined;
}

export function storeToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function removeToken(): void {
  sessionStorage.removeItem(TOKEN);
}

export function storedProject(): string | undefined {
  return sessionStorage.getItem(PROJECT) ?? undefined;
}

export function storeProject(project: string): void {
  sessionStorage.setItem(PROJECT, project);
}
