import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

/** A team whose messages lead to every kind of decision. */
const TEAM: Readonly<Record<string, string>> = {
  ".workflows/review.yaml":
    "name: review\nagents:\n  cody: { ref: cody }\n  rita: { ref: rita }\nworkspace: { documentOwner: cody }\n",
  ".agents/cody.yaml": `# Cody writes code.
name: cody
backend: mock
model: scripts/cody.yaml
prompt: { system: You are cody. }
tools: [bash, write_file]
permissions:
  mode: host
  ask: [write_file]
`,
  ".agents/rita.yaml":
    "name: rita\nbackend: mock\nmodel: scripts/rita.yaml\nprompt: { system: You are rita. }\ntools: [full]\n",
  "scripts/cody.yaml": `
- when: run it
  steps:
    - { call: { tool: bash, args: { command: "printf made >> made.txt" } } }
    - { say: Done. }
- when: make two
  steps:
    - { call: { tool: bash, args: { command: "printf two >> twice.txt" } } }
    - { call: { tool: bash, args: { command: "printf two >> twice.txt" } } }
    - { say: Done twice. }
- when: always
  steps:
    - { call: { tool: bash, args: { command: "printf often" } } }
    - { say: Done for good. }
- when: once more
  steps:
    - { call: { tool: bash, args: { command: "printf often" } } }
    - { say: Done without a question. }
- when: delete
  steps:
    - { call: { tool: bash, args: { command: "rm -rf build" } } }
    - { say: Deleted. }
- when: write it again
  steps:
    - { call: { tool: write_file, args: { path: notes.txt, content: "first line\\nsecond line\\n" } } }
    - { say: Written again. }
- when: write
  steps:
    - { call: { tool: write_file, args: { path: notes.txt, content: "first line\\nsecond line\\n" } } }
    - { say: Written. }
- when: break
  steps:
    - { fail: permanent, message: "The model shiny-9 does not exist." }
    - { say: "Now it works." }
`,
  "scripts/rita.yaml": `
- when: let us vote
  steps:
    - call:
        tool: proposal_create
        args: { type: decision, title: Ship it today?, options: [ship it, wait], voters: [user], timeout: 30m }
    - { say: "I opened a vote." }
- when: show a table
  steps:
    - say: |-
        | file | lines |
        |------|------:|
        | a.ts | 12 |

        - [x] read
        - [ ] write
          - inside

        ~~~ts
        const answer = 42;
        ~~~
- when: suggest something
  steps:
    - { call: { tool: team_doc_suggest, args: { content: "- tests are thin\\n", way: append } } }
    - { say: "I suggested it." }
`,
};

let browser: Browser & AsyncDisposable;

interface InChannel extends OpenedPage {
  /** Says it in the channel, and returns when the card is there. */
  ask(message: string, label: string | RegExp): Promise<Locator>;
}

type Locator = ReturnType<OpenedPage["page"]["getByRole"]>;

/** A click on a card that has just moved does nothing: it is made again until the card is decided. */
async function press(card: Locator, name: string, result: Locator): Promise<void> {
  const button = card.getByRole("button", { name });
  await eventually(
    `${name} is decided`,
    async () => {
      await button.click({ timeout: 1000 }).catch(() => undefined);
      return (await button.count()) === 0;
    },
    30_000,
  );
  await result.waitFor();
}

async function openChannel(): Promise<InChannel> {
  const opened = await openPage(browser, TEAM);
  await opened.go("@review");
  return {
    ...opened,
    async ask(message, label) {
      await opened.say("@review", message);
      const card = opened.page.getByRole("log").getByRole("article", { name: label }).last();
      await card.waitFor();
      return card;
    },
  };
}

describe.skipIf(!browserInstalled)("decisions where they are read (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.channel-cards] a command is approved in the channel, and stays there with what was decided", async () => {
    await using opened = await openChannel();
    const { page, daemon } = opened;
    const log = page.getByRole("log");
    const card = await opened.ask("@cody run it", "cody wants to call bash");
    expect(await card.locator(".command code").textContent()).toBe("printf made >> made.txt");
    const stored = page.getByRole("article", { name: "cody wanted to call bash: approved" });
    await press(card, "Approve", card.getByText("cody may run the command.").or(stored).first());
    await log.getByText("Done.", { exact: true }).first().waitFor();
    expect(readFileSync(join(daemon.project, "made.txt"), "utf8")).toBe("made");
    expect(await log.getByText(/agent-worker/).count()).toBe(0);

    // Also after the channel was left.
    await opened.go("Overview");
    await opened.go("@review");
    await log.getByRole("article", { name: "cody wanted to call bash: approved" }).waitFor();
    expect(await log.getByText(/agent-worker/).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.approve-scope] once, for this run, and always with the rule shown as a diff first", async () => {
    await using opened = await openChannel();
    const { page, daemon } = opened;
    const log = page.getByRole("log");
    const card = await opened.ask("@cody make two", "cody wants to call bash");
    await card.getByRole("button", { name: "For this run" }).click();
    await log.getByText("Done twice.").first().waitFor();
    expect(readFileSync(join(daemon.project, "twice.txt"), "utf8")).toBe("twotwo");

    const file = join(daemon.project, ".agents/cody.yaml");
    const before = readFileSync(file, "utf8");
    const always = await opened.ask("@cody always", "cody wants to call bash");
    await always.getByRole("button", { name: "Always…" }).click();
    const rule = always.getByRole("group", { name: "Change of .agents/cody.yaml" });
    await rule.locator(".added").first().waitFor();
    expect((await rule.locator(".added .diff-text").allTextContents()).join("\n")).toContain("bash(printf often)");
    expect(readFileSync(file, "utf8")).toBe(before);
    await always.getByRole("button", { name: "Add the rule and approve" }).click();
    await log.getByText("Done for good.").first().waitFor();
    const after = readFileSync(file, "utf8");
    expect(after).toContain("# Cody writes code.");
    expect(after).toContain("bash(printf often)");

    // The next run is not asked.
    await opened.say("@review", "@cody once more");
    await log.getByText("Done without a question.").first().waitFor();
    expect(value(await daemon.client.call("list-approvals", {})).approvals).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-cards] an edit is a diff, a dangerous command asks twice, and a refusal is possible", async () => {
    await using opened = await openChannel();
    const { page, daemon } = opened;
    const edit = await opened.ask("@cody write", "cody wants to call write_file");
    await edit.getByText("notes.txt").first().waitFor();
    expect(await edit.locator(".added .diff-text").allTextContents()).toEqual(["first line", "second line"]);
    await press(edit, "Approve", page.getByRole("log").getByText("Written.").first());
    expect(readFileSync(join(daemon.project, "notes.txt"), "utf8")).toBe("first line\nsecond line\n");

    // Nobody is asked about a write that changes nothing.
    await opened.say("@review", "@cody write it again");
    await page.getByRole("log").getByText("Written again.").first().waitFor();
    expect(value(await daemon.client.call("list-approvals", {})).approvals).toEqual([]);

    const danger = await opened.ask("@cody delete", "cody wants to call bash");
    await danger.getByRole("button", { name: "Approve" }).click();
    await danger.getByRole("button", { name: "Really approve?" }).waitFor();
    expect(value(await daemon.client.call("list-approvals", {})).approvals).toHaveLength(1);
    // The stored decision may come before the answer to the click.
    const stored = page.getByRole("article", { name: "cody wanted to call bash: denied" });
    await press(danger, "Deny", danger.getByText("cody may not run the command.").or(stored).first());
    expect(existsSync(join(daemon.project, "build"))).toBe(false);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-cards] votes, suggestions and dead letters are decided in the channel, and the figures agree", async () => {
    await using opened = await openChannel();
    const { page, daemon } = opened;
    const log = page.getByRole("log");
    const ballot = await opened.ask("@rita let us vote", "Ship it today?");
    const suggestion = await opened.ask("@rita suggest something", /^rita suggests a change/);
    const dead = await opened.ask("@cody break", "A message cody could not answer");
    await page
      .getByRole("navigation", { name: "Team" })
      .getByRole("link", { name: "Decisions 3 waiting for you" })
      .waitFor();
    expect(value(await daemon.client.call("list-decisions", {})).awaiting).toBe(3);
    expect(await page.title()).toContain("(3)");
    expect(await log.getByText(/proposal_vote|agent-worker/).count()).toBe(0);

    await press(ballot, "ship it", ballot.getByText("The vote is over."));
    await suggestion.locator(".diff-line.added").getByText("- tests are thin").waitFor();
    await press(suggestion, "Accept", suggestion.getByText(/was changed/));
    await press(dead, "Retry", log.getByText("Now it works.").first());
    await eventually("nothing waits", async () => value(await daemon.client.call("list-decisions", {})).awaiting === 0);
    await eventually("the title says so", async () => !(await page.title()).startsWith("("));

    // A notice has a place of its own: it covers neither the composer nor the button to send.
    const notice = await page.locator(".page-notice").last().boundingBox();
    const composer = await page.locator(".composer").boundingBox();
    if (notice !== null && composer !== null) expect(notice.y).toBeGreaterThanOrEqual(composer.y + composer.height);
    // What was decided says the same after a reload, in words.
    await ballot.getByText("Everybody has voted.").waitFor();
    await page.reload();
    await ballot.getByText("The vote is over.").waitFor();
    await ballot.getByText("Everybody has voted.").waitFor();
    expect(await log.getByText(/\d{4}-\d\d-\d\dT/).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-live] an address of nobody says so once, and is not asked for again and again", async () => {
    await using opened = await openChannel();
    const { page } = opened;
    await page.goto(page.url().replace(/#.*$/u, "#/channel/nope"));
    await page.getByRole("alert").getByText(/nope/).first().waitFor();
    const asked = () => opened.requests.filter((each) => each.url().includes("nope")).length;
    expect(asked()).toBeGreaterThan(0);
    // Longer than the page waits before it asks a daemon again that it could not reach: it would ask each time for all it shows.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 3000))");
    expect(asked()).toBeLessThan(6);
    expect(await page.getByText("What was said stays here").count()).toBe(0);
    expect(await page.locator(".composer").count()).toBe(0);
  });

  test("[ui.channel-cards] what is decided twice is no error: a double click, or the same decision elsewhere", async () => {
    await using opened = await openChannel();
    const { page, daemon } = opened;
    const ballot = await opened.ask("@rita let us vote", "Ship it today?");
    // The list of what waits comes late. Both clicks are made before the page is drawn again.
    const late = Promise.withResolvers<void>();
    await page.route(/\/decisions/, async (request) => {
      await late.promise;
      await request.continue();
    });
    await page.evaluate(`(() => {
      const button = document.querySelector(".votes button");
      button.click();
      button.click();
    })()`);
    await ballot.getByText("The vote is over.").waitFor();
    expect(await ballot.getByRole("button", { name: "ship it" }).count()).toBe(0);
    late.resolve();
    expect(opened.complaints).toEqual([]);

    // Somebody approves in a terminal while the click is on its way.
    const card = await opened.ask("@cody run it", "cody wants to call bash");
    await page.route(/\/approvals\/[^/]+\/approve/, async (request) => {
      const id = /apr_\w+/.exec(request.request().url())?.[0] ?? "";
      value(await daemon.client.call("approve", { id }));
      await request.continue();
    });
    await press(card, "Approve", page.locator(".page-notice").getByText("cody may run the command."));
    expect(await page.locator(".page-notice.bad").count()).toBe(0);
    await page.getByRole("log").getByText("Done.", { exact: true }).first().waitFor();
    // The pointer is still on the card, and the newest message in sight: nothing is below it.
    await page.setViewportSize({ width: 1200, height: 2400 });
    await eventually(
      "nothing offers the newest messages",
      async () => (await page.getByRole("button", { name: "Newest messages" }).count()) === 0,
    );
    expect(opened.complaints.filter((text) => !text.includes("409"))).toEqual([]);
  });

  test("[ui.channel-cards] a run without a finished step costs an unknown sum, and a mistake is shown in its line", async () => {
    await using opened = await openChannel();
    const { page, daemon } = opened;
    await opened.ask("@cody break", "A message cody could not answer");
    await opened.go("Runs");
    const row = page.getByRole("row", { name: /cody/ }).first();
    await row.waitFor();
    expect(await row.getByText("$0.00").count()).toBe(0);
    expect(await row.getByText("unknown").count()).toBe(3);

    daemon.write(
      ".agents/tom.yaml",
      "name: tom\nbackend: mock\nprompt: { system: You are tom. }\nbudget: { daily: 5 }\n",
    );
    await opened.go(/Overview/);
    const mistake = page.getByText(/Unknown key "daily"/);
    await mistake.waitFor();
    await page.locator('main a[href="#/files/.agents%2Ftom.yaml"]').click();
    await page.getByRole("heading", { name: "Files" }).waitFor();
    await mistake.waitFor();
    expect(await page.getByLabel("Text of .agents/tom.yaml").inputValue()).toContain("daily: 5");
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-live] the newest answer stays in sight when the window becomes narrow or the text to send long", async () => {
    await using opened = await openChannel();
    const { page } = opened;
    for (let i = 1; i <= 12; i++) {
      await opened.say("@review", `Note ${i}: ${"a sentence that needs several lines on a phone. ".repeat(6)}`);
    }
    await opened.go(/@review/);
    const last = page.getByRole("log").locator(".message").last();
    await page
      .getByRole("log")
      .getByText(/Note 12/)
      .waitFor();
    const isInSight = async (): Promise<boolean> => {
      const [message, composer] = [await last.boundingBox(), await page.locator(".composer").boundingBox()];
      return message !== null && composer !== null && message.y + message.height <= composer.y;
    };
    await eventually("the newest is shown", isInSight);
    for (const size of [
      { width: 390, height: 844 },
      { width: 390, height: 500 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size);
      await eventually(`it is in sight at ${size.width} by ${size.height}`, isInSight);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator("#composer").fill("line\n".repeat(9));
    await eventually("it is in sight above a long text", isInSight);
    expect(await page.getByRole("button", { name: "Newest messages" }).count()).toBe(0);

    // Also when the pointer is where a card was just decided, as after a tap on a phone.
    await page.locator("#composer").fill("");
    const card = await opened.ask("@cody run it", "cody wants to call bash");
    await eventually("the card is in sight", isInSight);
    await eventually(
      "its buttons count",
      async () => (await card.locator(".actions[aria-disabled=false]").count()) > 0,
    );
    await card.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("log").getByText("Done.").first().waitFor();
    await eventually("the answer is in sight", isInSight);
    await page.setViewportSize({ width: 1000, height: 700 });
    await eventually("it is in sight in a wide window", isInSight);
    await page.setViewportSize({ width: 390, height: 844 });
    await eventually("it is in sight at 390 pixels again", isInSight);

    // Whoever reads further up keeps that place.
    const early = page.getByRole("log").getByText(/Note 4/);
    // The page learns of it with the next frame.
    await page.evaluate(`new Promise((resolve) => {
      document.querySelector(".messages").addEventListener("scroll", () => requestAnimationFrame(resolve), { once: true });
      document.querySelector(".messages").scrollTop = 500;
    })`);
    await early.waitFor();
    const before = (await early.boundingBox())?.y ?? 0;
    await page.setViewportSize({ width: 390, height: 700 });
    await eventually("it did not move", async () => Math.abs(((await early.boundingBox())?.y ?? 0) - before) < 3);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-live] a closed workspace goes on from where it is read", async () => {
    await using opened = await openChannel();
    const { page } = opened;
    await opened.say("@review", "something to keep");
    await page.getByRole("log").getByText("something to keep").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Really stop?" }).click();
    await page.getByRole("button", { name: "Go on here" }).click();
    await page.getByText("@review is open again.").waitFor();
    await page.locator("#composer").fill("and more");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("log").getByText("and more").waitFor();
    await page.getByRole("log").getByText("something to keep").waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-cards] a call that waits is a command line wherever it is shown, never JSON", async () => {
    await using opened = await openPage(browser, TEAM);
    const { page } = opened;
    await opened.say("@review", "@cody run it");
    await opened.go(/@review/);
    await page.locator(".draft summary").getByText("printf made >> made.txt").waitFor();
    expect(await page.locator(".draft").getByText('{"command"').count()).toBe(0);
    await page.locator(".draft summary").click();
    await page.locator(".draft pre.command").getByText("printf made >> made.txt").waitFor();
    await opened.go(/Overview/);
    await page.getByRole("region", { name: "Waiting" }).getByText("printf made >> made.txt").waitFor();
    expect(await page.locator("main").getByText('{"').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.reading] tables, tasks and code are shown, and a message has an address of its own", async () => {
    await using opened = await openChannel();
    const { page, daemon } = opened;
    const log = page.getByRole("log");
    await opened.say("@review", "@rita show a table");
    await log.getByRole("cell", { name: "a.ts" }).last().waitFor();
    await eventually("the draft is gone", async () => (await log.locator(".draft").count()) === 0);
    expect(await log.locator("td.align-right").first().textContent()).toBe("12");
    expect(await log.getByRole("img", { name: "done" }).count()).toBe(1);
    expect(await log.locator(".task ul li").first().textContent()).toBe("inside");
    expect(await log.locator(".code-word").first().textContent()).toBe("const");
    expect(await log.locator(".day").first().textContent()).toBe("Today");

    for (let at = 1; at <= 150; at += 1) await opened.say("@review", `line ${at}`);
    const { messages } = value(await daemon.client.call("peek-channel", { target: "@review", limit: 500 }));
    const seq = messages.find(({ content }) => content === "line 3")?.seq ?? 0;
    await page.evaluate(`location.hash = "#/channel/" + encodeURIComponent("@review:main") + "/${seq}"`);
    const named = log.locator(".message.named");
    await named.waitFor();
    expect(await named.textContent()).toContain("line 3");
    await eventually("it is in sight", async () => {
      const [box, frame] = [await named.boundingBox(), await log.boundingBox()];
      return box !== null && frame !== null && box.y >= frame.y && box.y + box.height <= frame.y + frame.height;
    });
    expect(opened.complaints).toEqual([]);
  });
});
