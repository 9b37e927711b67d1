import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { CODE_HEADER } from "../../../src/contract/service/headers.ts";
import { openDaemon } from "../../../src/daemon/daemon.ts";
import { createPageSessions } from "../../../src/daemon/page-sessions.ts";
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
  test("[ui.phone] signs in over TLS with the code, at the address that the command prints", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pairing-"));
    try {
      const home = join(folder, "home");
      const exposure = { kind: "tls", ...FILES } as const;
      await using daemon = await openDaemon({ home, projectDir: folder, exposure, trustsAll: true });
      using client = await createClient({ url: daemon.url, token: daemon.token, project: folder });
      const { code, url } = await client.pairPage();
      const port = Number(new URL(daemon.url).port);
      expect(url).toBe(`https://127.0.0.1:${port}/`);
      const wrong = await enter(port, "AAAA-AAAA");
      expect([wrong.status, wrong.cookie]).toEqual([401, ""]);
      const entered = await enter(port, code);
      expect(entered.status).toBe(200);
      expect(entered.cookie).toMatch(/HttpOnly; SameSite=Strict.*; Secure/);
      expect((await client.listPageSessions()).ok).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function enter(port: number, code: string): Promise<{ status: number; cookie: string }> {
  return new Promise((resolve, reject) => {
    const headers = { origin: `https://127.0.0.1:${port}`, [CODE_HEADER]: code };
    const ca = readFileSync(FILES.cert);
    request({ host: "127.0.0.1", port, path: "/ui/sessions", method: "POST", headers, ca }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, cookie: response.headers["set-cookie"]?.[0] ?? "" });
    })
      .on("error", reject)
      .end();
  });
}
