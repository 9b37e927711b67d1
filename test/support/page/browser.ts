import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * A real browser, if `npm ci --prefix test/browser` has installed one. Only what the tests use of it is written down
 * here, because its types are installed with it and nowhere else.
 */
const FOLDER = join(import.meta.dirname, "../../browser");
/** What is installed there, and only there. */
const [DRIVER, PACKED] = ["playwright-core", "@sparticuz/chromium"] as const;
export const browserInstalled = existsSync(join(FOLDER, "node_modules"));

export interface Browser {
  newContext(options?: object): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface BrowserContext {
  newPage(): Promise<BrowserPage>;
  grantPermissions(permissions: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface BrowserPage extends Searchable {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  goForward(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  evaluate<T>(expression: string): Promise<T>;
  waitForFunction(expression: string): Promise<unknown>;
  on(event: "request", listener: (request: BrowserRequest) => void): void;
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  screenshot(options: object): Promise<Buffer>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMedia(options: { readonly colorScheme?: "light" | "dark"; readonly reducedMotion?: "reduce" }): Promise<void>;
  /** Lets the handler decide when, and whether, a request is sent. */
  route(url: RegExp, handler: (route: HeldRequest) => Promise<void>): Promise<void>;
  readonly mouse: { move(x: number, y: number): Promise<void>; down(): Promise<void>; up(): Promise<void> };
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
  close(): Promise<void>;
}

export interface BrowserRequest {
  url(): string;
  method(): string;
  headers(): Record<string, string>;
  postData(): string | null;
}

export interface HeldRequest {
  request(): BrowserRequest;
  /** Sends it on. */
  continue(): Promise<void>;
}

export interface Searchable {
  getByRole(role: string, options?: { readonly name?: string | RegExp; readonly exact?: boolean }): Found;
  getByText(text: string | RegExp, options?: { readonly exact?: boolean }): Found;
  getByLabel(text: string | RegExp): Found;
  locator(selector: string): Found;
}

export interface Found extends Searchable {
  click(options?: { readonly timeout: number }): Promise<void>;
  dblclick(): Promise<void>;
  tap(): Promise<void>;
  fill(text: string): Promise<void>;
  focus(): Promise<void>;
  press(key: string): Promise<void>;
  selectOption(value: string): Promise<unknown>;
  waitFor(options?: { readonly state?: "visible" | "hidden" | "attached" | "detached" }): Promise<void>;
  textContent(): Promise<string | null>;
  getAttribute(name: string): Promise<string | null>;
  inputValue(): Promise<string>;
  allTextContents(): Promise<string[]>;
  count(): Promise<number>;
  isEnabled(): Promise<boolean>;
  /** Where it is in the window. Null while it is not shown. */
  boundingBox(): Promise<{
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | null>;
  or(other: Found): Found;
  and(other: Found): Found;
  first(): Found;
  last(): Found;
}

interface Installed {
  readonly chromium: { launch(options: object): Promise<Browser> };
}
interface Packed {
  readonly default: { readonly args: readonly string[]; executablePath(): Promise<string> };
}

export async function openBrowser(more: readonly string[] = []): Promise<Browser & AsyncDisposable> {
  const require = createRequire(join(FOLDER, "package.json"));
  const { chromium } = require(DRIVER) as Installed;
  const packed = ((await import(require.resolve(PACKED))) as Packed).default;
  // It is packed for places where one process is all there is; there, closing one page takes the others with it.
  const args = packed.args.filter((each) => each !== "--single-process" && each !== "--no-zygote");
  const browser = await chromium.launch({ executablePath: await packed.executablePath(), args: [...args, ...more] });
  return {
    newContext: (options) => browser.newContext(options),
    close: () => browser.close(),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
