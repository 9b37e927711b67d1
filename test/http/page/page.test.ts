import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPageFiles } from "../../../src/daemon/page-files.ts";
import { openHttpRig, type Answered, type HttpRig } from "../../support/daemon/http-rig.ts";
import { provedToken, type StoredKey } from "../../support/security/page-browser.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let rig: HttpRig;
beforeAll(async () => {
  rig = await openHttpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}): Promise<Answered> =>
  rig.ask("GET", path, { token: null, headers });

/** The page and everything it names. */
async function wholePage(): Promise<{ readonly path: string; readonly answer: Answered }[]> {
  const page = await get("/");
  const paths = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  const files = await Promise.all(paths.map(async (path) => ({ path, answer: await get(path) })));
  return [{ path: "/", answer: page }, ...files];
}

describe("the web page", () => {
  test("[ui.served] is there for everybody, whole, from the daemon alone", async () => {
    const page = await wholePage();
    expect(page.map(({ answer }) => [answer.status, answer.headers["content-type"]])).toEqual([
      [200, "text/html; charset=utf-8"],
      [200, "image/svg+xml"],
      [200, "image/png"],
      [200, "application/manifest+json"],
      [200, "text/css; charset=utf-8"],
      [200, "text/javascript; charset=utf-8"],
    ]);
    for (const { path, answer } of page) {
      expect(path).toMatch(/^\/(?:ui\/[\w.-]+)?$/);
      if (!path.endsWith(".png")) {
        expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(answer.text)));
      }
      expect(answer.text).not.toContain(rig.token);
      const elsewhere = answer.text.match(/https?:\/\/(?!www\.w3\.org\/|github\.com\/markedjs)[\w.-]+/g) ?? [];
      expect(elsewhere, path).toEqual([]);
    }
    const [script, style] = page.filter(({ path }) => /\.(?:js|css)$/.test(path));
    const bytes = [script, style].reduce((sum, file) => sum + gzipSync(file?.answer.text ?? "").length, 0);
    expect(bytes).toBeLessThan(150 * 1024);
  });

  test("[ui.served] [ui.token] [ui.hostile-text] can run its own script, speak to its own daemon and do nothing else", async () => {
    for (const { answer } of await wholePage()) {
      expect(answer.headers).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "x-frame-options": "DENY",
        "x-agent-worker-version": "1.2.3",
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    const { text } = await get("/");
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style="| on\w+="/);
  });

  test("[ui.served] is kept by browsers as long as it is the same, and asked for anew when it is not", async () => {
    const [page, ...files] = await wholePage();
    expect(page?.answer.headers["cache-control"]).toBe("no-cache");
    const hashed = files.filter(({ path }) => /-[0-9a-f]{12}\./.test(path));
    expect(hashed.length).toBe(2);
    for (const { answer } of hashed) {
      expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
    for (const { path, answer } of [page, ...files].filter((each) => each !== undefined)) {
      const { etag = "" } = answer.headers;
      const again = await get(path, { "if-none-match": `"other", ${etag}` });
      expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
      expect((await get(path, { "if-none-match": '"other"' })).status).toBe(200);
      const head = await rig.ask("HEAD", path, { token: null });
      expect([head.status, head.text, head.headers["content-length"]]).toEqual([
        200,
        "",
        answer.headers["content-length"],
      ]);
    }
  });

  test("[ui.served] is sent compressed to browsers that take it, and kept apart for those that do not", async () => {
    const plain = (await wholePage()).find(({ path }) => path.endsWith(".js"));
    if (plain === undefined) throw new Error("The page has no script.");
    const lengthOf = ({ headers }: Answered): number => Number(headers["content-length"]);
    expect(plain.answer.headers["content-encoding"]).toBe(undefined);
    const etags = [plain.answer.headers.etag];
    for (const [accepted, encoding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip;q=1, br;q=0", "gzip"],
    ] as const) {
      const answer = await get(plain.path, { "accept-encoding": accepted });
      expect(answer.headers).toMatchObject({ "content-encoding": encoding, vary: "accept-encoding" });
      expect(lengthOf(answer)).toBeLessThan(lengthOf(plain.answer) / 2);
      etags.push(answer.headers.etag);
    }
    expect(new Set(etags).size).toBe(3);
    expect((await get(plain.path, { "accept-encoding": "br;q=0" })).headers["content-encoding"]).toBe(undefined);
  });

  test("[ui.served] has no other files, whatever they are called", async () => {
    for (const path of ["/ui/nothing.js", "/ui/..%2fpackage.json", "/ui/.", "/ui/%2e%2e", "/ui/index.html?x=1"]) {
      const { status } = await get(path);
      expect([path, status]).toEqual([path, path.startsWith("/ui/index") ? 200 : 404]);
    }
    expect((await get("/ui/a/b")).status).toBe(401);
    expect((await get("/", { host: "evil.example" })).status).toBe(403);
    expect((await get("/", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  test("[ui.served] is read when somebody first asks, and only what a page is made of", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in("page"));
    const files = openPageFiles([pathToFileURL(`${folder.in("missing")}/`), pathToFileURL(`${folder.in("page")}/`)]);
    writeFileSync(folder.in("page/index.html"), "<p>late</p>");
    writeFileSync(folder.in("page/secret.txt"), "no");
    expect(files("index.html")?.body("identity").toString()).toBe("<p>late</p>");
    expect(files("secret.txt")).toBeUndefined();
    writeFileSync(folder.in("page/index.html"), "<p>later</p>");
    expect(files("index.html")?.body("identity").toString()).toBe("<p>late</p>");
  });

  test("says what is missing where it was not built", async () => {
    await using own = await openHttpRig({ pageFiles: () => undefined });
    const { status, text, headers } = await own.ask("GET", "/", { token: null });
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(text).toContain("npm ci");
  });
});

describe("how a browser is let in", () => {
  const enter = (code: string | undefined, more: { readonly token?: string | null } = {}) =>
    rig.ask("POST", "/ui/sessions", {
      token: null,
      ...more,
      headers: code === undefined ? {} : { "x-agent-worker-code": code },
    });

  test("[ui.token] by a code the person got, which no agent can get and nobody can guess", async () => {
    const { json } = await rig.ask("POST", "/ui/codes");
    expect(json).toEqual({
      code: expect.stringMatching(/^awc_[\w-]{43}$/),
      url: `http://127.0.0.1:${rig.port}/`,
      lastsMs: 120_000,
    });
    using run = rig.openRun("alice");
    expect((await rig.ask("POST", "/ui/codes", { token: run.token })).status).toBe(403);
    expect((await enter(String(json["code"]), { token: run.token })).status).toBe(403);
    expect([(await enter(undefined)).status, (await enter("awc_x")).status]).toEqual([401, 401]);
    const { status, json: session } = await enter(String(json["code"]));
    expect([status, session]).toEqual([
      200,
      {
        session: expect.stringMatching(/^[0-9a-f]{16}$/),
        key: expect.stringMatching(/^awk_[\w-]{43}$/),
        challenge: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    expect(JSON.stringify(session)).not.toContain(rig.token);
  });

  test("[ui.token] [sessions.two-halves] and has the rights of the person with both halves of its session", async () => {
    const { json } = await rig.ask("POST", "/ui/codes");
    const { json: opened, headers } = await enter(String(json["code"]));
    const [cookie = ""] = headers["set-cookie"]?.[0]?.split(";") ?? [];
    const stored = opened as unknown as StoredKey;
    const token = provedToken(stored, `127.0.0.1:${rig.port}`);
    expect((await rig.ask("GET", "/agents", { token, headers: { cookie } })).status).toBe(200);
    const health = await rig.ask("GET", "/health", { token, headers: { cookie } });
    expect(health.json).toMatchObject({ status: "ready", pid: process.pid });
    const refused = await rig.ask("GET", "/agents", { token });
    expect([refused.status, refused.headers["x-agent-worker-challenge"]]).toEqual([401, stored.challenge]);
  });

  test("[ui.token] from the page's own origin alone", async () => {
    const { json } = await rig.ask("POST", "/ui/codes");
    const code = String(json["code"]);
    const from = (origin: string) =>
      rig.ask("POST", "/ui/sessions", { token: null, headers: { origin, "x-agent-worker-code": code } });
    for (const origin of ["https://evil.example", "null", `http://evil.example:${rig.port}`]) {
      expect([origin, (await from(origin)).status]).toEqual([origin, 403]);
    }
    expect((await from(`http://127.0.0.1:${rig.port}`)).status).toBe(200);
  });
});
