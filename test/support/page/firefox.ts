import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { eventually } from "../team/running-project.ts";

/**
 * The Firefox of this machine, driven over WebDriver BiDi. Playwright needs a build of its own, or a newer one than
 * distributions have; Puppeteer takes what is installed. Only what the tests use of it is written down here.
 */
const FOLDER = join(import.meta.dirname, "../../browser");
const DRIVER = "puppeteer-core";
const NAMES = ["firefox", "firefox-esr"];

/** Why there is none, or its path. */
export const firefox: { readonly path: string } | { readonly missing: string } = findFirefox();

function findFirefox(): typeof firefox {
  if (!existsSync(join(FOLDER, "node_modules", DRIVER))) return { missing: "npm ci --prefix test/browser" };
  for (const name of NAMES) {
    if (spawnSync(name, ["--version"], { timeout: 30_000 }).status === 0) return { path: whereIs(name) };
  }
  return { missing: "there is no Firefox on this machine: apt install firefox-esr" };
}

function whereIs(name: string): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? name;
}

interface DriverPage {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  url(): string;
  evaluate<T>(expression: string): Promise<T>;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  screenshot(options?: object): Promise<Uint8Array>;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  readonly mouse: { click(x: number, y: number): Promise<void> };
  readonly keyboard: {
    down(key: string): Promise<void>;
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    up(key: string): Promise<void>;
  };
}

/**
 * A page with the pointer and the keyboard of a person. The locators of the driver compile code in the page, which the
 * content security policy of the page forbids; what is here only looks, and points.
 */
export interface FirefoxPage extends DriverPage {
  /** Waits for a visible element with the text. */
  sees(selector: string, text?: string): Promise<void>;
  click(selector: string, text?: string): Promise<void>;
  /** Replaces what is in a field, with keys. */
  write(selector: string, text: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
}

interface OpenedFirefox extends AsyncDisposable {
  newPage(): Promise<FirefoxPage>;
}

interface Installed {
  readonly default: {
    launch(options: object): Promise<{ newPage(): Promise<DriverPage>; close(): Promise<void> }>;
  };
}

export async function openFirefox(path: string): Promise<OpenedFirefox> {
  const require = createRequire(join(FOLDER, "package.json"));
  const driver = (await import(require.resolve(DRIVER))) as Installed;
  const browser = await driver.default.launch({ browser: "firefox", executablePath: path, headless: true });
  return {
    newPage: async () => personAt(await browser.newPage()),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

function personAt(page: DriverPage): FirefoxPage {
  const found = (selector: string, text: string): string =>
    `[...document.querySelectorAll(${JSON.stringify(selector)})]` +
    `.find((each) => each.checkVisibility() && !each.disabled && each.textContent.includes(${JSON.stringify(text)}))`;
  const sees = (selector: string, text = ""): Promise<void> =>
    eventually(
      `${selector} ${text} is seen`,
      () => page.evaluate<boolean>(`${found(selector, text)} !== undefined`),
      PATIENCE_MS,
    );
  const click = async (selector: string, text = ""): Promise<void> => {
    await sees(selector, text);
    const place = await page.evaluate<{ x: number; y: number }>(
      `(() => { const each = ${found(selector, text)}; each.scrollIntoView({ block: "nearest" });
        const { x, y, width, height } = each.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })()`,
    );
    await page.mouse.click(place.x, place.y);
  };
  return Object.assign(page, {
    sees,
    click,
    async write(selector: string, text: string) {
      await click(selector);
      await page.keyboard.down("Control");
      await page.keyboard.press("a");
      await page.keyboard.up("Control");
      await page.keyboard.type(text);
    },
    async resize(width: number, height: number) {
      // An older Firefox knows the size, and not the orientation that the driver sets with it.
      await page.setViewport({ width, height }).catch((error: unknown) => {
        if (!String(error).includes("setScreenOrientationOverride")) throw error;
      });
      await eventually("it has the size", () => page.evaluate<boolean>(`innerWidth === ${width}`));
    },
  });
}

const PATIENCE_MS = 30_000;
