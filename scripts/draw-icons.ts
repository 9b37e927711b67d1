/**
 * Draws the icons of the page for the start screen of a phone from `web/icon.svg`: `node scripts/draw-icons.ts`. Needs the
 * browser of the tests: `npm ci --prefix test/browser`. A maskable icon is cut to any shape, so it has a margin.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../test/support/page/browser.ts";
import { projectRoot } from "./run-command.ts";

const WEB = join(projectRoot, "web");
const SIZES = [
  { name: "icon-192", size: 192, maskable: false },
  { name: "icon-512", size: 512, maskable: false },
  { name: "icon-maskable-512", size: 512, maskable: true },
];

const svg = readFileSync(join(WEB, "icon.svg"), "utf8");
const withMargin = svg
  .replace('rx="8"', 'rx="0"')
  .replace("<circle", '<g transform="translate(3.2 3.2) scale(.8)"><circle')
  .replace("</svg>", "</g></svg>");
await using browser = await openBrowser();
for (const { name, size, maskable } of SIZES) {
  const context = await browser.newContext({ viewport: { width: size, height: size } });
  const page = await context.newPage();
  const style = "<style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style>";
  await page.goto(`data:text/html,${encodeURIComponent(style + (maskable ? withMargin : svg))}`);
  writeFileSync(join(WEB, `${name}.png`), await page.screenshot({ omitBackground: true }));
  await context.close();
}
