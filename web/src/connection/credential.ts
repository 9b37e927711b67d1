/**
 * The token of this browser, for as long as its tab is there, and the project it looks at. Nothing of it is kept where
 * another tab, another origin or another day could find it.
 */
const TOKEN = "agent-worker.token";
const PROJECT = "agent-worker.project";

export function keptToken(): string | undefined {
  return sessionStorage.getItem(TOKEN) ?? undefined;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(TOKEN);
}

export function keptProject(): string | undefined {
  return sessionStorage.getItem(PROJECT) ?? undefined;
}

export function keepProject(project: string): void {
  sessionStorage.setItem(PROJECT, project);
}
