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
    await press(card, "Approve", card.getByText("cody may call bash.").or(stored).first());
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

    const danger = await opened.ask("@cody delete", "cody wants to call bash");
    await danger.getByRole("button", { name: "Approve" }).click();
    await danger.getByRole("button", { name: "Really approve?" }).waitFor();
    expect(value(await daemon.client.call("list-approvals", {})).approvals).toHaveLength(1);
    // The stored decision may come before the answer to the click.
    const stored = page.getByRole("article", { name: "cody wanted to call bash: denied" });
    await press(danger, "Deny", danger.getByText("cody may not call bash.").or(stored).first());
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
    await press(suggestion, "Accept", suggestion.getByText(/was changed/));
    await press(dead, "Retry", log.getByText("Now it works.").first());
    await eventually("nothing waits", async () => value(await daemon.client.call("list-decisions", {})).awaiting === 0);
    await eventually("the title says so", async () => !(await page.title()).startsWith("("));

    // A notice has a place of its own: it covers neither the composer nor the button to send.
    const notice = await page.locator(".notice").last().boundingBox();
    const composer = await page.locator(".composer").boundingBox();
    if (notice !== null && composer !== null) expect(notice.y).toBeGreaterThanOrEqual(composer.y + composer.height);
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
