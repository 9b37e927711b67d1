import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BrowserPage } from "./browser.ts";

/** Installed with the browser: `npm ci --prefix test/browser`. */
const PACKAGE = "axe-core";

let source: string | undefined;

/** Returns what axe finds wrong with what the page shows, one line for each element. */
export async function findViolations(page: BrowserPage): Promise<readonly string[]> {
  const require = createRequire(join(import.meta.dirname, "../../browser/package.json"));
  source ??= readFileSync(require.resolve(`${PACKAGE}/axe.min.js`), "utf8");
  await page.evaluate(`${source}; undefined`);
  return page.evaluate<string[]>(RUN);
}

const RUN = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
    id + " " + target.join(" ") + ": " + failureSummary.replaceAll(/\\s+/g, " "))))`;
