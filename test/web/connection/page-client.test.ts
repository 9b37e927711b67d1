import { afterEach, expect, it, vi } from "vitest";
import { openDaemon, signIn } from "../../../web/src/connection/daemon.ts";
import { removeSession, storedSession, storeSession } from "../../../web/src/connection/credential.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";

/** What the page finds in a browser: its storage, and requests that carry the cookies of the host. */
function enterBrowser(daemon: TestDaemon): { readonly sent: string[] } {
  const items = new Map<string, string>();
  const cookies = new Map<string, string>();
  const sent: string[] = [];
  const realFetch = globalThis.fetch;
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    if (init.credentials === "same-origin")
      headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    sent.push(JSON.stringify([...headers]));
    const response = await realFetch(`${daemon.url}${path}`, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  });
  return { sent };
}
afterEach(() => vi.unstubAllGlobals());

it("the page stays signed in over a restart of the daemon, proves its key without sending it, and signs out [sessions.survive] [sessions.two-halves]", async () => {
  await using daemon = await startTestDaemon();
  const { sent } = enterBrowser(daemon);
  const opened = await signIn((await daemon.client.openPage()).code);
  if (!opened.ok) throw new Error(opened.error.message);
  storeSession(opened.value);
  let refused = 0;
  const page = openDaemon({
    host: new URL(daemon.url).host,
    project: undefined,
    onRefusedSession: () => void (refused += 1),
  });
  expect(await page.call("list-agents", {})).toMatchObject({ ok: true });

  await daemon.stop();
  expect(await page.call("list-agents", {})).toMatchObject({ ok: false, error: { code: "unavailable" } });
  await using next = await daemon.restart({ env: { AGENT_WORKER_PORT: new URL(daemon.url).port } });
  const both = [page.call("list-agents", {}), page.call("list-workspaces", {})];
  for (const result of await Promise.all(both)) expect(result).toMatchObject({ ok: true });
  expect(storedSession()?.challenge).not.toBe(opened.value.challenge);
  expect(refused).toBe(0);

  await page.signOut();
  expect(await next.client.listPageSessions()).toEqual({ ok: true, value: { sessions: [] } });
  expect(await page.call("list-agents", {})).toMatchObject({ ok: false, error: { code: "unauthenticated" } });
  expect(refused).toBe(1);
  for (const headers of sent) expect(headers).not.toContain(opened.value.key);
});

it("a tab goes on with the session of another tab that has signed in again [sessions.survive]", async () => {
  await using daemon = await startTestDaemon();
  enterBrowser(daemon);
  const enter = async (): Promise<void> => {
    const opened = await signIn((await daemon.client.openPage()).code);
    if (opened.ok) storeSession(opened.value);
  };
  await enter();
  const page = openDaemon({ host: new URL(daemon.url).host, project: undefined, onRefusedSession: () => {} });
  expect(await page.call("list-agents", {})).toMatchObject({ ok: true });
  await enter();
  expect(await page.call("list-agents", {})).toMatchObject({ ok: true });
  removeSession();
  expect(await page.call("list-agents", {})).toMatchObject({ ok: false });
});
