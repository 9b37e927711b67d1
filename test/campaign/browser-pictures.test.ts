import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findViolations } from "../support/page/axe.ts";
import { browserInstalled, openBrowser, type Browser, type BrowserPage } from "../support/page/browser.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { PAGE_TEAM } from "../support/page/page-team.ts";
import { takePicture } from "../support/page/pictures.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

let browser: Browser & AsyncDisposable;

const WIDTHS = [
  { name: "phone", width: 390, height: 844 },
  { name: "desk", width: 1440, height: 900 },
] as const;

/** Every view by its address, and what is seen when it has loaded. */
function views(run: string): readonly (readonly [string, string, string | RegExp])[] {
  return [
    ["overview", "#/", "Used so far"],
    ["decisions", "#/decisions", "Ship it today?"],
    ["channel", "#/channel/%40review%3Amain", "one element too many"],
    ["messages", "#/channel/sam", "Write to sam"],
    ["documents", "#/documents/%40review%3Amain", "notes.md"],
    ["rules", "#/rules/%40review%3Amain", "Add a rule"],
    ["agent", "#/agent/rita", "Last runs"],
    ["files", "#/files", "Workflows"],
    ["file-form", "#/files/.agents%2Frita.yaml", "System prompt"],
    ["workflow-form", "#/files/.workflows%2Freview.yaml", "Budget: runs"],
    ["schedules", "#/schedules", "Set a schedule"],
    ["setup", "#/setup", "Connect a model"],
    ["runs", "#/runs", "Runs"],
    ["run", `#/run/${run}`, "Given"],
    ["run-replay", `#/run/${run}/1`, /Step 1 of/],
    ["chain", `#/chain/${run}`, "What one message led to"],
    ["related", "#/related/%40review%3Amain/1", /belong together/],
    ["team", "#/team", "Who woke whom"],
    ["usage", "#/usage", "Cost by day"],
  ];
}

/** Ids in the text of a view. What a machine reads may have some: prompts, calls of tools, and the id of a run. */
const IDS = `(() => {
  const shown = document.querySelector("main").cloneNode(true);
  for (const each of shown.querySelectorAll("pre, code, .calls")) each.remove();
  return shown.textContent.match(/[a-z]{3}_[0-9a-z]{20,}/g) ?? [];
})()`;

/** Makes something to see in every view. */
async function fill({ daemon, say }: OpenedPage): Promise<string> {
  await say("@review", "@rita look at it, please");
  const said = async (find: string) => value(await daemon.client.call("peek-channel", { target: "@review", find }));
  await eventually("rita answers", async () => (await said("one element too many")).messages.length > 0);
  await say("@review", "@rita let us vote");
  await say("@review", "@rita suggest something");
  await say("@review", "@cody run the tests");
  await say("cody", "break");
  await say("@review", "@sam note it");
  await eventually("all of it waits", async () => {
    const { approvals } = value(await daemon.client.call("list-approvals", {}));
    return approvals.length > 0 && value(await daemon.client.call("list-dead-letters", {})).deliveries.length > 0;
  });
  const { runs } = value(await daemon.client.call("list-runs", { target: "rita", limit: 1 }));
  return runs[0]?.id ?? "";
}

async function show(page: BrowserPage, address: string, text: string | RegExp): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.locator("main").getByText(text).or(page.locator("main").getByLabel(text)).first().waitFor();
}

describe.skipIf(!browserInstalled)("every view of the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test.each(["light", "dark"] as const)(
    "[ui.accessible] [ui.no-ids] has no finding of axe, no raw id and fits its width, in %s; pictures are in artifacts/page",
    async (colorScheme) => {
      await using opened = await openPage(browser, PAGE_TEAM);
      const { page } = opened;
      const run = await fill(opened);
      await page.emulateMedia({ colorScheme });
      const found: string[] = [];
      for (const { name, width, height } of WIDTHS) {
        await page.setViewportSize({ width, height });
        for (const [view, address, text] of views(run)) {
          await show(page, address, text);
          await takePicture(page, `${view}-${name}-${colorScheme}`);
          const place = `${view}, ${name}, ${colorScheme}`;
          found.push(...(await findViolations(page)).map((each) => `${place}: ${each}`));
          const ids = await page.evaluate<string[]>(IDS);
          if (ids.length > 0) found.push(`${place}: shows ${ids.join(", ")}`);
          const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
          if (over > 0) found.push(`${place}: ${over} pixels too wide`);
        }
      }
      expect(found).toEqual([]);
      expect(opened.complaints).toEqual([]);
    },
    240_000,
  );

  test("[ui.accessible] fits a very wide screen, and works with the keyboard without motion", async () => {
    await using opened = await openPage(browser, PAGE_TEAM);
    const { page } = opened;
    await page.setViewportSize({ width: 2560, height: 1300 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await show(page, "#/files/.agents%2Frita.yaml", "System prompt");
    await takePicture(page, "file-form-wide-light");
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "YAML" }).click();
    await page.getByText("No mistakes").waitFor();
    await takePicture(page, "file-text-wide-light");
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Form" }).click();
    await opened.say("@review", "@rita take your time");
    await page.locator(".state.working").first().waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('.state.working')).animationName")).toBe(
      "none",
    );
    // From the form to a saved change with keys alone.
    await page.getByLabel("Role").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("careful reviewer");
    await page.keyboard.press("Enter");
    await page.locator(".diff-line.added").getByText("careful reviewer").waitFor();
    const save = page.getByRole("button", { name: "Save" });
    await eventually("it can be saved", () => save.isEnabled());
    await save.press("Enter");
    await page.getByText(".agents/rita.yaml was written.").first().waitFor();
    expect(opened.complaints).toEqual([]);
  }, 120_000);
});
