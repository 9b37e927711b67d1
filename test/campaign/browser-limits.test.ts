import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findViolations } from "../support/page/axe.ts";
import { browserInstalled, openBrowser, type Browser, type Found } from "../support/page/browser.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";
import { takePicture } from "../support/page/pictures.ts";

let browser: Browser & AsyncDisposable;

function teamWith(budgets: { readonly agent?: string; readonly workflow?: string }): Readonly<Record<string, string>> {
  return {
    ".workflows/review.yaml": `name: review\nagents:\n  cody: { ref: cody }\n  rita: { ref: rita }\n${budgets.workflow ?? ""}`,
    ".agents/cody.yaml": `# Cody writes code.\nname: cody\nbackend: mock\nmodel: scripts/cody.yaml\nprompt: { system: You are cody. }\n${budgets.agent ?? ""}`,
    ".agents/rita.yaml": "name: rita\nbackend: mock\nmodel: scripts/rita.yaml\nprompt: { system: You are rita. }\n",
    "scripts/cody.yaml":
      '- { when: first, steps: [{ say: One. }] }\n- { when: second, steps: [{ say: "Two. @rita please look" }] }\n',
    "scripts/rita.yaml":
      '- { when: begin, repeat: true, steps: [{ say: "@cody do the second part" }] }\n- { when: go on, steps: [{ say: I looked. }] }\n- { when: please look, steps: [{ say: Looked. }] }\n',
  };
}

const ID = /[a-z]{3}_[0-9a-z]{20,}/;

async function raise(opened: OpenedPage, card: Found, file: string): Promise<void> {
  await card.getByRole("button", { name: "Raise the limit…" }).press("Enter");
  await card.getByLabel("New limit").waitFor();
  await card.getByRole("group", { name: `Change of ${file}` }).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await opened.page.emulateMedia({ colorScheme });
    for (const width of [390, 1200]) {
      await opened.page.setViewportSize({ width, height: 844 });
      await takePicture(opened.page, `raise-limit${file.replaceAll(/\W/g, "-")}-${width}-${colorScheme}`);
      expect(await findViolations(opened.page)).toEqual([]);
      expect(await opened.page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    }
  }
  await card.getByRole("button", { name: "Write it and go on" }).press("Enter");
}

describe.skipIf(!browserInstalled)("limits on the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[budget.raise] [ui.no-ids] the used-up budget of an agent is raised where it is read, and the work goes on", async () => {
    await using opened = await openPage(browser, teamWith({ agent: "budget: { turns: 1 } # a day\n" }));
    const { page, daemon } = opened;
    await opened.say("@review", "@cody first part");
    await opened.go(/@review/);
    const log = page.getByRole("log");
    await log.getByText("One.").first().waitFor();
    await opened.say("@review", "@cody second part");
    const card = log.getByRole("article", { name: "A message cody could not answer" });
    await card.getByText(/is used up: 1 run\./).waitFor();
    expect(await log.getByText(/Raise it in the file that sets it|dead letter/).count()).toBe(0);
    await raise(opened, card, ".agents/cody.yaml");
    await log.getByText(/^Two/).first().waitFor();
    await card.getByText("The limit is 2 runs now. cody gets it once more.").waitFor();
    expect(readFileSync(join(daemon.project, ".agents/cody.yaml"), "utf8")).toContain("budget: { turns: 2 } # a day");
    expect(await page.evaluate<string>("document.body.innerText")).not.toMatch(ID);
    expect(opened.complaints).toEqual([]);
  });

  test("[budget.raise] the offered limit is above what is used, and a lower one is not written", async () => {
    await using opened = await openPage(browser, teamWith({}));
    const { page, daemon } = opened;
    for (let run = 1; run <= 5; run += 1) {
      await opened.say("@review", `@rita begin ${run}`);
      await eventually(`run ${run} ended`, async () => {
        const { agents } = value(await daemon.client.call("show-usage", { target: "rita" }));
        return agents.reduce((sum, { usage }) => sum + usage.runs, 0) >= run;
      });
    }
    const file = join(daemon.project, ".agents/rita.yaml");
    daemon.write(".agents/rita.yaml", `${readFileSync(file, "utf8")}budget: { turns: 1 }\n`);
    await opened.go("Decisions");
    const card = page.getByRole("article", { name: "A message rita could not answer" }).first();
    await eventually("the limit stops it", async () => {
      await opened.say("@review", "@rita begin again");
      return (await card.count()) > 0;
    });
    await card.getByRole("button", { name: "Raise the limit…" }).press("Enter");
    await card.getByText(/Used today: \d+ runs/).waitFor();
    const used = Number(/\d+/.exec((await card.getByText(/Used today/).textContent()) ?? "")?.[0]);
    expect(used).toBeGreaterThanOrEqual(5);
    const limit = card.getByLabel("New limit");
    expect(Number(await limit.inputValue())).toBeGreaterThan(used);
    await limit.fill("2");
    await card.getByText("The new limit must be higher.").waitFor();
    expect(await card.getByRole("button", { name: "Write it and go on" }).isEnabled()).toBe(false);
  });

  test("[budget.raise] so is that of a workflow, and nothing is written before it was seen", async () => {
    await using opened = await openPage(browser, teamWith({ workflow: "budget: { turns: 1 }\n" }));
    const { page, daemon } = opened;
    const file = join(daemon.project, ".workflows/review.yaml");
    await opened.say("@review", "@cody first part");
    await opened.go(/@review/);
    const log = page.getByRole("log");
    await log.getByText("One.").first().waitFor();
    await opened.say("@review", "@cody second part");
    await opened.go("Decisions");
    const card = page.getByRole("article", { name: "A message cody could not answer" });
    await card.getByRole("button", { name: "Raise the limit…" }).press("Enter");
    await card.getByLabel("New limit").fill("5");
    await card.locator(".diff-line.added").getByText("budget: { turns: 5 }").waitFor();
    expect(readFileSync(file, "utf8")).toContain("turns: 1");
    await card.getByRole("button", { name: "Back" }).press("Enter");
    await card.getByRole("button", { name: "Retry" }).waitFor();
    await raise(opened, card, ".workflows/review.yaml");
    await opened.go(/@review/);
    await log.getByText(/^Two/).first().waitFor();
    expect(readFileSync(file, "utf8")).toContain("turns: 2");
    expect(opened.complaints).toEqual([]);
  });

  test("[budget.raise] a chain that reached its limit goes on with those who were stopped, with a higher limit or without", async () => {
    await using opened = await openPage(browser, teamWith({ workflow: "budget: { hops: 1 }\n" }));
    const { page, daemon } = opened;
    await opened.go(/@review/);
    const log = page.getByRole("log");
    await opened.say("@review", "@rita begin");
    const limit = log.getByRole("article", { name: "A limit was reached" });
    await limit.getByText(/has reached its limit of 1 message in a row\./).waitFor();
    const letter = log.getByRole("article", { name: "A message rita could not answer" });
    await letter.getByRole("button", { name: "Go on", exact: true }).waitFor();
    await raise(opened, limit, ".workflows/review.yaml");
    await limit.getByText("You wrote since, so it went on.").waitFor();
    expect(readFileSync(join(daemon.project, ".workflows/review.yaml"), "utf8")).toContain("hops: 2");
    await log
      .getByText(/ooked\./)
      .first()
      .waitFor();
    expect(await page.evaluate<string>("document.body.innerText")).not.toMatch(ID);
    expect(opened.complaints).toEqual([]);
  });

  test("[budget.raise] a budget of dollars whose cost is unknown leads to where prices are set", async () => {
    const files = teamWith({ agent: "budget: { cost_usd: 1 }\n" });
    await using model = await startFakeModelServer(() => ({ text: "Hello.", usage: { input: 1200, output: 40 } }));
    await using opened = await openPage(browser, {
      ...files,
      ".agents/cody.yaml": `name: cody\nmodel: unpriced\nprovider: { name: openai-compatible, base_url: "${model.url}/v1" }\nprompt: { system: You are cody. }\nbudget: { cost_usd: 1 }\n`,
    });
    const { page, daemon } = opened;
    await opened.say("cody", "hello");
    await eventually("it costs an unknown sum", async () => {
      const { total } = value(await daemon.client.call("show-usage", { target: "cody" }));
      return total.runs > 0;
    });
    await opened.say("cody", "hello again");
    await opened.go("Decisions");
    const card = page.getByRole("article", { name: "A message cody could not answer" });
    await card.getByRole("link", { name: "Say what its model costs" }).click();
    await page.getByRole("heading", { name: "Limits and prices of the project" }).waitFor();
    await page.getByRole("button", { name: "Go on editing" }).click();
    const editor = page.getByLabel("Text of moniro.yaml");
    await editor.fill(
      `${await editor.inputValue()}prices:\n  openai-compatible/unpriced: { input: 0.1, output: 0.1 }\n`,
    );
    await page.getByText("No mistakes").waitFor();
    await page.getByRole("button", { name: "See the change" }).click();
    const save = page.getByRole("button", { name: "Save" });
    await eventually("it can be saved", () => save.isEnabled());
    await save.click();
    await page.getByText("moniro.yaml was written.").first().waitFor();
    await opened.go("Decisions");
    await card.getByRole("button", { name: "Retry" }).press("Enter");
    await opened.go("cody");
    await eventually("it is answered", async () => (await page.getByRole("log").getByText("Hello.").count()) > 1);
    expect(opened.complaints).toEqual([]);
  });
});
