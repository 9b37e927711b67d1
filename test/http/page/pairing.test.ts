import { request as httpsRequest } from "node:https";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CODE_HEADER } from "../../../src/contract/service/headers.ts";
import { runDaemon } from "../../../src/daemon/main.ts";
import { createPageSessions } from "../../../src/daemon/page-sessions.ts";
import { writePageAccess } from "../../../src/daemon/page-access.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { manualClock } from "../../support/manual-clock.ts";

const TLS = join(import.meta.dirname, "../../fixtures/tls");
const FILES = { cert: join(TLS, "cert.pem"), key: join(TLS, "key.pem") };
const PHONE = { name: "a phone", secrets: [] };

describe("a pairing code", () => {
  test("[ui.phone] signs in once, however it is typed, and only within five minutes", () => {
    const clock = manualClock();
    const page = createPageSessions(clock);
    const { code, lastsMs } = page.createPairingCode();
    expect(code).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    expect(lastsMs).toBe(300_000);
    const typed = code.toLowerCase().replace("-", " ");
    expect(page.openSession(typed, PHONE)).toBeDefined();
    // A second use means that somebody else saw it: the session of the first ends.
    expect(page.openSession(code, PHONE)).toBeUndefined();
    expect(page.list()).toEqual([]);
    const late = page.createPairingCode();
    clock.advance(300_001);
    expect(page.openSession(late.code, PHONE)).toBeUndefined();
  });

  test("[ui.phone] cannot be guessed: ten wrong ones end it", () => {
    const page = createPageSessions(manualClock());
    const { code } = page.createPairingCode();
    for (let i = 0; i < 10; i += 1) expect(page.openSession(`AAAA-AAA${i}`, PHONE)).toBeUndefined();
    expect(page.openSession(code, PHONE)).toBeUndefined();
    expect(page.openSession(page.createPairingCode().code, PHONE)).toBeDefined();
  });
});

describe("the page on another device", () => {
  test("[ui.phone] is off by default, and a network address without encryption is refused", async () => {
    await using daemon = await startTestDaemon();
    expect((await asHost(daemon, "team.test")).status).toBe(403);
    const env = { HOME: daemon.home, AGENT_WORKER_HOME: join(daemon.home, "other") };
    const start = runDaemon({
      env,
      host: "0.0.0.0",
      port: 0,
      trustsAll: false,
      onReady: () => {},
      onWarning: () => {},
    });
    await expect(start).rejects.toMatchObject({ code: "port_unusable" });
  });

  test("[ui.phone] is encrypted, answers under the stated address alone, and pairs", async () => {
    await using first = await startTestDaemon();
    await first.stop("SIGTERM");
    const port = await freePort();
    const url = `https://team.test:${port}`;
    writePageAccess(first.home, { url, tls: { host: "127.0.0.1", ...FILES } });
    await using daemon = await first.restart();
    const ask = (host: string, headers: Record<string, string> = {}, method = "GET", path = "/") =>
      overTls(port, { host, ...headers }, method, path);
    expect((await ask(`team.test:${port}`)).status).toBe(200);
    expect((await ask(`127.0.0.1:${port}`)).status).toBe(403);
    expect((await ask(`team.test:${port}`, { origin: "https://evil.example" })).status).toBe(403);
    expect((await ask(`team.test:${port}`, {}, "GET", "/agents")).status).toBe(401);
    const pairing = await daemon.client.pairPage();
    expect(pairing.url).toBe(url);
    const origin = { origin: url, [CODE_HEADER]: pairing.code };
    const entered = await ask(`team.test:${port}`, origin, "POST", "/ui/sessions");
    expect(entered.status).toBe(200);
    expect(entered.cookie).toMatch(/HttpOnly; SameSite=Strict.*; Secure/);
  });

  test("[ui.phone] a stated proxy is let in by its name, and no other", async () => {
    await using first = await startTestDaemon();
    await first.stop("SIGTERM");
    writePageAccess(first.home, { url: "https://team.example" });
    await using daemon = await first.restart();
    expect((await asHost(daemon, "team.example")).status).toBe(200);
    expect((await asHost(daemon, "other.example")).status).toBe(403);
  });
});

async function asHost(daemon: TestDaemon, host: string): Promise<{ status: number }> {
  const { request } = await import("node:http");
  const { port } = new URL(daemon.url);
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path: "/", headers: { host } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    })
      .on("error", reject)
      .end();
  });
}

function overTls(port: number, headers: Record<string, string>, method: string, path: string) {
  return new Promise<{ status: number; cookie: string }>((resolve, reject) => {
    const ca = readFileSync(FILES.cert);
    httpsRequest({ host: "127.0.0.1", servername: "team.test", port, path, method, headers, ca }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, cookie: response.headers["set-cookie"]?.[0] ?? "" });
    })
      .on("error", reject)
      .end();
  });
}

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
}
