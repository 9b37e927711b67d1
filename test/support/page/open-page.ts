import { value } from "../result.ts";
import { startTestDaemon, type TestDaemon } from "../daemon/daemon.ts";
import type { Browser, BrowserPage, BrowserRequest } from "./browser.ts";

/** The web page in a real browser, in front of a real daemon whose agents play scripts. */
export interface OpenedPage extends AsyncDisposable {
  readonly daemon: TestDaemon;
  readonly page: BrowserPage;
  readonly requests: readonly BrowserRequest[];
  /** What the browser complained about. */
  readonly complaints: readonly string[];
  say(to: string, message: string): Promise<void>;
  /** The person allows the page something that the browser asks about. */
  allow(permission: "notifications"): Promise<void>;
  /** Another tab of the same browser. */
  newTab(): Promise<BrowserPage>;
  /** Follows the link of the sidebar. */
  go(link: string | RegExp): Promise<void>;
}

/** Starts the workflow `review` of the team, and signs a browser in. */
export async function openPage(browser: Browser, files: Readonly<Record<string, string>>): Promise<OpenedPage> {
  const daemon = await startTestDaemon({ files });
  value(await daemon.client.serve({ workflow: "review", until: "started" }));
  return openPageOf(browser, daemon);
}

/** Signs a browser in at a daemon, which ends with the page. */
export async function openPageOf(browser: Browser, daemon: TestDaemon): Promise<OpenedPage> {
  const stack = new AsyncDisposableStack();
  try {
    stack.use(daemon);
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
    stack.defer(() => context.close());
    const page = await context.newPage();
    const requests: BrowserRequest[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => void requests.push(request));
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    const { url, code } = await daemon.client.openPage();
    await page.goto(`${url}#${new URLSearchParams({ code, project: daemon.project }).toString()}`);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    return {
      daemon,
      page,
      requests,
      complaints,
      async say(to, message) {
        value(await daemon.client.call("send-message", { to, message }));
      },
      allow: (permission) => context.grantPermissions([permission]),
      newTab: () => context.newPage(),
      go: (link) => page.getByRole("navigation", { name: "Team" }).getByRole("link", { name: link }).click(),
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
