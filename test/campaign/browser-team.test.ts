import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";
import { openPage, openPageOf } from "../support/page/open-page.ts";
import { takePicture } from "../support/page/pictures.ts";
import { PAGE_TEAM } from "../support/page/page-team.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

let browser: Browser & AsyncDisposable;

/** The same turns as the script of rita, with another answer to a vote. */
const OTHER = (PAGE_TEAM["scripts/rita.yaml"] ?? "").replace("I opened a vote.", "I opened another vote.");

describe.skipIf(!browserInstalled)("the team on the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.timeline] who woke whom is a graph and a timeline, of the project, a workspace and a chain", async () => {
    await using opened = await openPage(browser, PAGE_TEAM);
    const { page } = opened;
    await opened.say("@review", "@rita look at it");
    await opened.go("Team");
    await page.getByRole("img", { name: /rita woke cody 1 time/ }).waitFor();
    await page.getByRole("img", { name: /you woke rita 1 time/ }).waitFor();
    const lanes = page.getByRole("list", { name: "Timeline" });
    await lanes.getByRole("link", { name: /^rita, answered; woken by user: @rita look at it/ }).waitFor();
    await lanes.getByRole("link", { name: /^cody, .*woken by rita/ }).waitFor();
    await eventually("model time is shown", async () => (await lanes.locator(".bar.model").count()) > 1);

    await page.getByRole("link", { name: "chain" }).last().click();
    await page.getByRole("heading", { name: "What one message led to" }).waitFor();
    await lanes.getByRole("link", { name: /^rita/ }).first().click();
    await page.getByText("Step 1").first().waitFor();
    await opened.go(/@review/);
    await page.getByRole("link", { name: "Timeline" }).click();
    await lanes.getByRole("link", { name: /^cody/ }).first().waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.usage-history] cost and tokens are shown by day, and agree with the other views", async () => {
    await using opened = await openPage(browser, PAGE_TEAM);
    const { page, daemon } = opened;
    await opened.say("@review", "@rita let us vote");
    await eventually("it is done", async () => {
      const { runs } = value(await daemon.client.call("list-runs", { target: "rita" }));
      return runs[0]?.outcome === "answered";
    });
    await opened.go("Usage");
    // Scripts cost nothing: an empty chart would say less than the words.
    await page.getByText("Nothing was spent in this time.").waitFor();
    await page.getByRole("button", { name: "Show tokens" }).click();
    await page.getByRole("img", { name: /tokens by day and agent/ }).waitFor();
    await page.getByLabel(/^By agent/).selectOption("workflow");
    await page.getByRole("img", { name: /tokens by day and workflow/ }).waitFor();
    await page.getByRole("row", { name: /@review/ }).waitFor();
    await page.getByLabel(/^By agent/).selectOption("agent");
    const { total } = value(await daemon.client.call("show-usage", {}));
    const tokens = `${total.tokens.input?.toLocaleString("en")} in, ${total.tokens.output?.toLocaleString("en")} out`;
    await page.getByRole("cell", { name: tokens }).first().waitFor();
    await page.getByLabel("Show").selectOption("tokens");
    await page.getByRole("img", { name: /tokens by day and agent/ }).waitFor();
    await page.getByLabel(/^By agent/).selectOption("model");
    await page.getByRole("cell", { name: tokens }).first().waitFor();
    await opened.go("Runs");
    await page.getByText(new RegExp(tokens)).first().waitFor();
    await opened.go("Overview");
    await page.getByText(new RegExp(tokens)).first().waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.decisions] a decision that can be taken back has an undo, and the numbers of waiting runs agree", async () => {
    await using opened = await openPage(browser, PAGE_TEAM);
    const { page, daemon } = opened;
    await opened.say("@review", "@rita what did you learn");
    await opened.go("Decisions");
    const card = page.getByRole("article", { name: "A change of the soul of rita" });
    await card.getByRole("button", { name: "Approve" }).press("Enter");
    await card.getByRole("button", { name: "Undo" }).press("Enter");
    await card.getByText("The soul of rita is as it was before.").waitFor();
    const soul = value(await daemon.client.call("show-soul", { agent: "rita" }));
    expect(JSON.stringify(soul)).not.toContain('"Run it before you judge"]');
    expect(soul.version).toBe(2);

    await opened.say("@review", "@cody run the tests");
    const team = page.getByRole("navigation", { name: "Team" });
    await team.getByRole("link", { name: /Overview 1 waiting/ }).waitFor();
    await opened.go(/Overview/);
    await page.getByRole("heading", { name: "Waiting 1" }).waitFor();
    await page.getByText(/0 runs at work, 1 waiting/).waitFor();
    expect(
      await page
        .locator("main")
        .getByText(/agent-worker [a-z]+ /)
        .count(),
    ).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.replay] [ui.ask-again] a run is replayed step by step, and asked again from one", async () => {
    await using opened = await openPage(browser, { ...PAGE_TEAM, "scripts/other.yaml": OTHER });
    const { page, daemon } = opened;
    await opened.say("@review", "@rita let us vote");
    await opened.go("Runs");
    await page
      .getByRole("row", { name: /rita @review answered/ })
      .getByRole("link", { name: "rita" })
      .click();
    // The prompt as text, beside the receipt.
    await page.getByText("The whole prompt").waitFor();
    await page.locator(".run-prompt pre").first().waitFor();
    const receipt = await page.getByRole("region", { name: "Given" }).boundingBox();
    const prompt = await page.locator(".run-prompt").boundingBox();
    expect(prompt?.x ?? 0).toBeGreaterThanOrEqual((receipt?.x ?? 0) + (receipt?.width ?? Infinity));

    await page.getByRole("link", { name: "Replay step by step" }).click();
    await page.getByText("Step 1 of 3").waitFor();
    const steps = page.locator(".steps > li");
    expect(await steps.count()).toBe(1);
    await steps.first().getByText('"title": "Ship it today?"').waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Step 2 of 3").waitFor();
    // The address names the step: whoever opens it sees the step, also on a small screen.
    await page.setViewportSize({ width: 390, height: 600 });
    await page.reload();
    await page.getByText("Step 2 of 3").waitFor();
    await eventually("the replay is in sight", async () => {
      const bar = await page.getByRole("group", { name: "Replay" }).boundingBox();
      return bar !== null && bar.y >= 0 && bar.y < 300;
    });
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("group", { name: "Its answer" }).getByText("I opened a vote.").waitFor();

    await page.getByText("Ask again from here").last().click();
    const form = page.getByRole("form", { name: "Ask again from step 3" });
    await form.getByLabel("Model").fill("scripts/other.yaml");
    await form.getByRole("button", { name: "Ask again" }).click();
    const log = page.getByRole("log");
    await log.getByText("I opened another vote.").first().waitFor();
    // What was asked again, in the words of who asked; the prompt is folded.
    await log.getByText(/Asked again what rita was asked in @review, with the model scripts\/other.yaml/).waitFor();
    await log.locator("blockquote.asked").getByText("let us vote").waitFor();
    expect(await log.locator("pre.plain").count()).toBe(0);
    expect(await page.evaluate<string>("document.body.innerText")).not.toMatch(/[a-z]{3}_[0-9a-z]{20,}/);
    await log.getByText("The prompt as the model got it").click();
    await log.locator("pre.plain").first().waitFor();
    await takePicture(page, "asked-again");
    const { messages } = value(await daemon.client.call("peek-channel", { target: "@review" }));
    expect(messages.some(({ content }) => content.includes("another vote"))).toBe(false);
    expect(value(await daemon.client.call("list-runs", { target: "rita-again-1" })).runs).toHaveLength(1);
    await opened.go("Team");
    await page
      .getByText(/asked again: @rita let us vote/)
      .first()
      .waitFor();

    // The figures are the same after a restart, and what the copy said can still be read.
    const figures = async (each: typeof page): Promise<readonly (string | null)[]> => {
      await each.evaluate(`location.hash = "#/"`);
      await each
        .locator("a.figure")
        .getByText(/\d runs?, /)
        .waitFor();
      const overview = await each.locator("a.figure").last().textContent();
      await each.evaluate(`location.hash = "#/runs"`);
      await each.locator(".filter .dim").first().waitFor();
      const rows = await each.locator("tbody tr").count();
      return [overview, await each.locator(".filter .dim").first().textContent(), String(rows)];
    };
    await eventually("all is settled", async () => {
      const { runs } = value(await daemon.client.call("list-runs", {}));
      return runs.every(({ state }) => state === "ended");
    });
    const before = await figures(page);
    expect(before[0]).toContain("2 runs");
    expect(opened.complaints).toEqual([]);
    await daemon.stop();
    await using again = await openPageOf(browser, await daemon.restart());
    expect(await figures(again.page)).toEqual(before);
    await again.page.evaluate(`location.hash = "#/channel/rita-again-1"`);
    await again.page.getByRole("log").getByText("I opened another vote.").waitFor();
    await again.page.getByText("rita-again-1 is not there any more.").waitFor();
    await takePicture(again.page, "asked-again-gone");
    expect(again.complaints).toEqual([]);
  });
});
