import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserPage } from "./browser.ts";

/** Where the campaign keeps the pictures of the page. Git ignores it. */
const FOLDER = join(import.meta.dirname, "../../../artifacts/page");

/** Takes a picture of what the page shows: `artifacts/page/NAME.png`. */
export async function takePicture(page: BrowserPage, name: string): Promise<void> {
  keepPicture(name, await page.screenshot({}));
}

export function keepPicture(name: string, picture: Uint8Array): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.png`), picture);
}
