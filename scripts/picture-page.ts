/**
 * Runs the example team in its own daemon and takes pictures of the web page: `node scripts/picture-page.ts` writes
 * `docs/page.png`, a channel, and `docs/page-edit.png`, a change of a prompt. Needs the browser of the tests: `npm ci --prefix test/browser`.
 */
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../src/client/create-client.ts";
import { openDaemon } from "../src/daemon/daemon.ts";
import { openBrowser } from "../test/support/page/browser.ts";
import { projectRoot } from "./run-command.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "agent-worker-picture-")));
const project = join(folder, "review-team");
try {
  cpSync(join(projectRoot, "examples/review-team"), project, { recursive: true });
  await using daemon = await openDaemon({ home: join(folder, "home"), projectDir: project, trustsAll: true });
  using client = await createClient({ url: daemon.url, token: daemon.token, project });
  await client.serve({ workflow: "review" });
  await client.serve({ workflow: "review", until: "started", tag: "next" });
  const { url, code } = await client.openPage();
  await using browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(`${url}#${new URLSearchParams({ code, project }).toString()}`);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.evaluate("location.hash = '#/channel/%40review%3Anext'");
  await page.getByRole("log").getByText("Notes are complete").first().waitFor();
  await page.locator(".draft").first().waitFor({ state: "detached" });
  writeFileSync(join(projectRoot, "docs/page.png"), await page.screenshot({}));
  await page.emulateMedia({ colorScheme: "dark" });
  await page.evaluate("location.hash = '#/files/.agents%2Freviewer.yaml'");
  const prompt = page.getByLabel("System prompt");
  await prompt.waitFor();
  await prompt.fill(`${(await prompt.inputValue()).trimEnd()}\nSay first what is good, then what is wrong.\n`);
  await page.getByRole("button", { name: "See the change" }).click();
  await page.getByText("No mistakes").waitFor();
  writeFileSync(join(projectRoot, "docs/page-edit.png"), await page.screenshot({}));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
