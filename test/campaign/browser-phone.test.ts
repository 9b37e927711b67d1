import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openDaemon } from "../../src/daemon/daemon.ts";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";
import { PAGE_TEAM } from "../support/page/page-team.ts";
import { takePicture } from "../support/page/pictures.ts";
import { startTlsProxy } from "../support/page/tls-proxy.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

let browser: Browser & AsyncDisposable;

const TLS = join(import.meta.dirname, "../fixtures/tls");
const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
  // The certificate of the test is nobody's.
  ignoreHTTPSErrors: true,
};

/** A workspace with two hundred members. */
function largeTeam(): Record<string, string> {
  const names = Array.from({ length: 198 }, (_, i) => `helper-${i + 1}`);
  const members = names.map((name) => `  ${name}: { backend: mock, prompt: { system: Help. } }\n`).join("");
  return {
    ...PAGE_TEAM,
    ".workflows/review.yaml": `name: review\nagents:\n  rita: { ref: rita }\n  cody: { ref: cody }\n${members}`,
  };
}

/** Deleted at the end. */
function temporaryProject(files: Readonly<Record<string, string>>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "phone-")));
  const project = join(folder, "project");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { project, home: join(folder, "home"), [Symbol.asyncDispose]: async () => remove() };
}

describe.skipIf(!browserInstalled)("the page on a phone (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.phone] pairs over TLS, shows two hundred members at 390 pixels, and approves with two taps", async () => {
    await using folder = temporaryProject(largeTeam());
    const { project, home } = folder;
    const exposure = { kind: "tls", cert: join(TLS, "cert.pem"), key: join(TLS, "key.pem") } as const;
    await using daemon = await openDaemon({ home, projectDir: project, exposure, trustsAll: true });
    using client = await createClient({ url: daemon.url, token: daemon.token, project });
    value(await client.serve({ workflow: "review", until: "started" }));

    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    const { code, url } = await client.pairPage();
    await page.goto(url);
    await page.getByRole("textbox", { name: "Pairing code" }).fill(code.toLowerCase());
    await takePicture(page, "phone-pair");
    await page.getByRole("button", { name: "Sign in" }).tap();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await page.evaluate("isSecureContext")).toBe(true);

    // It can be installed.
    const manifest = await page.evaluate<{ icons: { src: string; sizes: string }[]; display: string }>(
      `fetch(document.querySelector("link[rel=manifest]").href).then((response) => response.json())`,
    );
    expect(manifest.display).toBe("standalone");
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(["192x192", "512x512"]));
    for (const { src } of manifest.icons) {
      expect(await page.evaluate(`fetch(${JSON.stringify(src)}).then(({ status }) => status)`)).toBe(200);
    }

    await page.evaluate("location.hash = '#/channel/%40review%3Amain'");
    await page.locator(".members li").first().waitFor();
    await page.getByRole("button", { name: /and \d+ more/ }).tap();
    await eventually("everybody is listed", async () => (await page.locator(".members li").count()) >= 200);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    const log = await page.getByRole("log").boundingBox();
    expect(log?.height ?? 0).toBeGreaterThan(300);
    await takePicture(page, "phone-members");

    // Something waits: one tap from any view to it, one to approve it.
    value(await client.call("send-message", { to: "@review", message: "@cody run the tests" }));
    await page.getByRole("link", { name: "1 to decide" }).tap();
    const card = page.getByRole("article", { name: "cody wants to call bash" });
    await card.getByText("printf made >> made.txt").waitFor();
    await takePicture(page, "phone-decide");
    // A card that has just appeared ignores taps for half a second.
    await card.getByRole("group", { name: "Decide" }).and(page.locator("[aria-disabled=false]")).waitFor();
    await card.getByRole("button", { name: "Approve" }).tap();
    await card.getByText("cody may run the command.").waitFor();
    expect(value(await client.call("list-approvals", { state: "approved" })).approvals).toHaveLength(1);
    expect(complaints).toEqual([]);
    await context.close();
  }, 120_000);

  test("[ui.phone] is reached through a reverse proxy with TLS: it pairs, streams and approves", async () => {
    await using folder = temporaryProject(PAGE_TEAM);
    const { project, home } = folder;
    const exposure = { kind: "proxy", name: "team.example" } as const;
    await using daemon = await openDaemon({ home, projectDir: project, exposure, trustsAll: true });
    using client = await createClient({ url: daemon.url, token: daemon.token, project });
    value(await client.serve({ workflow: "review", until: "started" }));
    await using proxy = await startTlsProxy(daemon.url);
    // The name leads to the proxy, as in a real network.
    await using named = await openBrowser([`--host-resolver-rules=MAP team.example:443 127.0.0.1:${proxy.port}`]);
    const context = await named.newContext(PHONE);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    const { code, url } = await client.pairPage();
    expect(url).toBe("https://team.example/");
    await page.goto(url);
    await page.getByRole("textbox", { name: "Pairing code" }).fill(code);
    await page.getByRole("button", { name: "Sign in" }).tap();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await page.evaluate("isSecureContext")).toBe(true);

    await page.evaluate("location.hash = '#/channel/%40review%3Amain'");
    await page.locator("#composer").fill("@rita take your time");
    await page.getByRole("button", { name: "Send" }).tap();
    // The words come one by one: the proxy hands on what it gets.
    await page.locator(".draft").getByText("Thinking about it").waitFor();
    expect(await page.getByRole("log").getByText("word by word by word by word by word.").count()).toBe(0);
    await page.reload();
    await page.locator(".draft").getByText("Thinking about it").waitFor();
    value(await client.call("send-message", { to: "@review", message: "@cody run the tests" }));
    await page.getByRole("link", { name: "1 to decide" }).tap();
    const card = page.getByRole("article", { name: "cody wants to call bash" });
    await card.getByRole("group", { name: "Decide" }).and(page.locator("[aria-disabled=false]")).waitFor();
    await card.getByRole("button", { name: "Approve" }).tap();
    await card.getByText("cody may run the command.").waitFor();
    // Another name that leads there is refused: the daemon answers to the one it was told.
    expect(await proxy.statusFor("evil.example")).toBe(403);
    expect(complaints).toEqual([]);
    await context.close();
  }, 120_000);
});
