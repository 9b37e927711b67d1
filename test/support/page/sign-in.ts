import type { TestDaemon } from "../daemon/daemon.ts";
import type { Browser, BrowserPage } from "./browser.ts";

/** A page that is signed in, whatever its project looks like. */
export interface SignedInPage extends AsyncDisposable {
  readonly page: BrowserPage;
  /** What the browser complained about: errors of scripts, and violations of the content security policy. */
  readonly complaints: readonly string[];
}

export async function signIn(browser: Browser, daemon: TestDaemon, options: object = {}): Promise<SignedInPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  const { url, code } = await daemon.client.openPage();
  await page.goto(`${url}#${new URLSearchParams({ code, project: daemon.project }).toString()}`);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
