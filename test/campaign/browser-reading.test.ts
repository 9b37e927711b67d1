import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { PAGE_TEAM } from "../support/page/page-team.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

let browser: Browser & AsyncDisposable;

const TEAM: Readonly<Record<string, string>> = {
  ...PAGE_TEAM,
  "scripts/sam.yaml": `
- when: draw it
  steps:
    - say: |-
        For @user:

        \`\`\`mermaid
        graph TD; a-->b;
        \`\`\`
- when: once more
  steps:
    - { say: "Once more for @user." }
- when: speak slowly
  steps:
    - { say: "The beginning of a long text, and then word after word after word after word until the end.", pace: 500ms }
`,
};

const open = (): Promise<OpenedPage> => openPage(browser, TEAM);

describe.skipIf(!browserInstalled)("reading on the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.search] a text is found wherever it was said or written, and leads there", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.say("@review", "the needle is in the hay");
    for (let at = 1; at <= 130; at += 1) await opened.say("@review", `hay ${at}`);
    value(
      await daemon.client.call("write-document", {
        target: "@review",
        file: "notes.md",
        content: "# Plan\n\nFind the needle.\n",
      }),
    );
    await page.keyboard.press("Control+k");
    await page.keyboard.type("needle");
    const found = page.getByRole("listbox", { name: "Found" });
    await found.getByText("the needle is in the hay").waitFor();
    await found.getByText(/Find the needle/).waitFor();
    await found.getByText("the needle is in the hay").click();
    const named = page.getByRole("log").locator(".message.named");
    await named.waitFor();
    expect(await named.textContent()).toContain("the needle is in the hay");
    expect(await page.getByRole("log").locator(".message").count()).toBeLessThanOrEqual(120);

    // Names and commands with the keyboard alone.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("cody about");
    await found.getByRole("option", { name: "cody about" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "cody" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("no such text anywhere");
    await page.getByText("The text is in no message, document or run.").waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.unread] what was not read is there after a reload and in another browser, with a line", async () => {
    await using opened = await open();
    const { page } = opened;
    const team = page.getByRole("navigation", { name: "Team" });
    await opened.say("@review", "@sam draw it");
    const link = team.getByRole("link", { name: /@review.*1 new, 1 for you/ });
    await link.waitFor();
    await page.reload();
    await link.waitFor();
    await link.click();
    const log = page.getByRole("log");
    await log.getByRole("separator").getByText("New").waitFor();
    // The source of a diagram is text, with a button that copies it.
    expect(await log.locator("pre.code").first().textContent()).toContain("graph TD; a-->b;");
    await log.getByRole("button", { name: "Copy" }).first().waitFor();
    await team.getByRole("link", { name: /new/ }).waitFor({ state: "detached" });
    await page.reload();
    await log.getByText("For @user:").waitFor();
    await eventually("it stays read", async () => {
      const { spaces } = value(await opened.daemon.client.call("list-unread", {}));
      return spaces.length === 0;
    });
    expect(await team.getByRole("link", { name: /new/ }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.unread] an answer that comes while the person looks on is not marked as new", async () => {
    await using opened = await openPage(browser, PAGE_TEAM);
    const { page, daemon } = opened;
    await opened.go(/@review/);
    const log = page.getByRole("log");
    await page.locator("#composer").fill("@rita look at it, please");
    await page.keyboard.press("Control+Enter");
    await log.getByText("one element too many").last().waitFor();
    await log.getByText("Fixed: the bound is").first().waitFor();
    await eventually("it is read", async () => {
      const { spaces } = value(await daemon.client.call("list-unread", {}));
      return spaces.every(({ space }) => space !== "@review:main");
    });
    expect(await log.getByRole("separator").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.stream-reload] a reload in the middle of a stream shows its beginning", async () => {
    await using opened = await open();
    const { page } = opened;
    await opened.say("@review", "@sam speak slowly");
    await opened.go(/@review/);
    const draft = page.getByRole("log").locator(".draft");
    await draft.getByText(/The beginning of a long text/).waitFor();
    await page.reload();
    await draft.getByText(/The beginning of a long text/).waitFor();
    const text = (await draft.first().textContent()) ?? "";
    expect(text.split("The beginning").length).toBe(2);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.draft-reload] what was written and not sent is there after a reload, and gone when it was sent", async () => {
    await using opened = await open();
    const { page } = opened;
    await opened.go(/@review/);
    const composer = page.locator("#composer");
    await composer.fill("not sent yet");
    await page.reload();
    await eventually("the text is back", async () => (await composer.inputValue()) === "not sent yet");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("log").getByText("not sent yet").waitFor();
    await page.reload();
    await page.getByRole("log").getByText("not sent yet").waitFor();
    expect(await composer.inputValue()).toBe("");
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.unread] [ui.notifications] who wants it is told of mentions and decisions while the page is in the background", async () => {
    await using opened = await open();
    const { page } = opened;
    await opened.allow("notifications");
    // The browser makes them, and here they are written down as well. Without a screen it has the permission, and says
    // so to who asks for it, but not in `Notification.permission`.
    await page.evaluate(`navigator.permissions.query({ name: "notifications" }).then(({ state }) => {
      window.told = [];
      window.Notification = class extends Notification {
        static get permission() { return state; }
        constructor(title, options) { super(title, options); window.told.push(this); }
      };
    })`);
    expect(await page.evaluate(`Notification.permission`)).toBe("granted");
    expect(await page.evaluate(`Notification.requestPermission()`)).toBe("granted");
    const told = (): Promise<string[]> => page.evaluate(`window.told.map(({ title, body }) => title + ": " + body)`);
    const hide = (hidden: boolean): Promise<unknown> =>
      page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, value: ${hidden} }); undefined`);
    await hide(true);
    await opened.say("@review", "@sam draw it");
    await page.getByRole("link", { name: /1 new, 1 for you/ }).waitFor();
    expect(await told()).toEqual([]);
    await page.getByRole("button", { name: "Notify: off" }).click();
    await page.getByRole("button", { name: "Notify: on" }).waitFor();
    await opened.say("@review", "@sam once more");
    await eventually("it is told", async () => (await told()).length > 0);
    expect(await told()).toEqual(["agent-worker: You are mentioned in @review."]);
    await opened.say("@review", "@cody run the tests");
    await eventually("the decision is told", async () => (await told()).length > 1);
    expect((await told())[1]).toBe("agent-worker: 1 decision waiting for you.");
    // A click leads to what it is about.
    await page.evaluate(`window.told[1].dispatchEvent(new Event("click")); undefined`);
    await page.getByRole("heading", { name: "Decisions" }).waitFor();
    // Whoever looks at the page is not told.
    await hide(false);
    await opened.say("@review", "@sam and again");
    await page.getByRole("link", { name: /[3-9] new/ }).waitFor();
    expect(await told()).toHaveLength(2);
    await page.getByRole("button", { name: "Notify: on" }).click();
    await page.getByRole("button", { name: "Notify: with sound" }).waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-cards] a limit that was reached is a card with a button to go on", async () => {
    await using opened = await openPage(browser, { ...TEAM, "moniro.yaml": "defaults: { budget: { hops: 1 } }\n" });
    const { page } = opened;
    await opened.go(/@review/);
    await opened.say("@review", "@rita look at it");
    const card = page.getByRole("log").getByRole("article", { name: "A limit was reached" });
    await card.waitFor();
    expect(await card.getByText(/agent-worker/).count()).toBe(0);
    await card.getByRole("button", { name: "Go on", exact: true }).press("Enter");
    await page.getByText("@review goes on.").waitFor();
    await card.getByText("You wrote since, so it went on.").waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.related] messages that belong together are shown together", async () => {
    await using opened = await open();
    const { page } = opened;
    await opened.say("@review", "@rita look at it");
    await opened.say("@review", "something else");
    await opened.go(/@review/);
    const log = page.getByRole("log");
    await log.getByText("Fixed: the bound is").first().waitFor();
    await log.locator("a.cause").last().click();
    const related = page.getByRole("log");
    await page.getByText(/messages that belong together/).waitFor();
    await related.getByText("look at it").first().waitFor();
    await related.getByText("Fixed: the bound is").first().waitFor();
    expect(await related.getByText("something else").count()).toBe(0);
    await page.getByRole("link", { name: "who woke whom" }).click();
    await page.getByRole("heading", { name: "What one message led to" }).waitFor();
    await page.getByRole("img", { name: /rita woke cody 1 time/ }).waitFor();
    expect(opened.complaints).toEqual([]);
  });
});
