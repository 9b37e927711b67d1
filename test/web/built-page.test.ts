import { expect, test } from "vitest";
import { buildPage } from "../../scripts/bundle-web.ts";
import { openPageFiles } from "../../src/daemon/page-files.ts";

test("[ui.served] the page the daemon serves is built from these sources (else: node scripts/bundle-web.ts)", async () => {
  const served = openPageFiles();
  const built = await buildPage();
  expect(built.size).toBe(8);
  for (const [name, content] of built)
    expect([name, served(name)?.body("identity").toString()]).toEqual([name, content.toString()]);
});
