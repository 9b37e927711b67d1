import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserInstalled, openBrowser, type Browser, type BrowserPage, type Found } from "../support/page/browser.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { HOSTILE, PAGE_TEAM } from "../support/page/page-team.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

let browser: Browser & AsyncDisposable;

const open = (): Promise<OpenedPage> => openPage(browser, PAGE_TEAM);

describe.skipIf(!browserInstalled)("the web page in a browser (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.channel-live] a channel shows what is said as it is said, and takes messages with mentions", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.go("@review");
    const log = page.getByRole("log");
    await page.getByText("Nothing was said in @review yet.").waitFor();

    // Written with the keyboard alone: a key to get there, a name completed, a key to send it.
    await page.keyboard.press("/");
    await page.keyboard.type("@ri");
    await page.getByRole("option", { name: "@rita" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("look at it, please");
    expect(await page.locator("#composer").inputValue()).toBe("@rita look at it, please");
    await page.keyboard.press("Control+Enter");

    await log.locator(".draft").first().waitFor();
    await log.getByText("one element too many").last().waitFor();
    await log.getByText("Fixed: the bound is").first().waitFor();
    expect(await page.locator("#composer").inputValue()).toBe("");
    expect(await log.locator(".message.mine .mention").first().textContent()).toBe("@rita");
    expect((await log.locator(".prose pre.code").first().textContent())?.trim()).toContain("for (let i = 0;");
    await eventually("the drafts are gone", async () => (await log.locator(".draft").count()) === 0);
    const kept = value(await daemon.client.call("peek-channel", { target: "@review" })).messages;
    await eventually("each message is there once", async () => (await log.locator(".message").count()) === kept.length);
    expect(kept[0]).toMatchObject({ from: "user", content: "@rita look at it, please", mentions: ["rita"] });

    // What a message came from is folded behind it.
    await log.locator("article").getByText("how").first().click();
    await log.getByText("channel_peek").first().waitFor();

    // To one agent alone, and in direct messages.
    await page.locator(".composer select").selectOption("cody");
    await page.locator("#composer").fill("hello cody");
    await page.getByRole("button", { name: "Send" }).click();
    await log.getByText("hello cody").first().waitFor();
    await page.getByText("Sent: cody (normal)").waitFor();
    await opened.go("sam");
    await page.getByText("Say hello to sam.").waitFor();
    await page.getByLabel("Write to sam").fill("hello sam");
    await page.keyboard.press("Control+Enter");
    await log.getByText("hello sam").first().waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-live] what is new elsewhere, and who is at work, is marked; a lost daemon is told and found again", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    const team = page.getByRole("navigation", { name: "Team" });
    await opened.say("@review", "@cody please fix it");
    await team.getByRole("link", { name: /@review.*new/ }).waitFor();
    await opened.say("@review", "@rita take your time");
    await team.getByRole("link", { name: /@review.*at work/ }).waitFor();
    await opened.go(/@review/);
    await team.getByRole("link", { name: /new/ }).waitFor({ state: "detached" });
    await page.getByRole("log").getByText("word by word").first().waitFor();

    await daemon.stop("SIGKILL");
    await page.getByText("Disconnected from the daemon").waitFor();
    // After a while it says what to do when the daemon is elsewhere.
    await page.getByText("open the page again with agent-worker ui").waitFor();
    const { port } = new URL(daemon.url);
    await using again = await daemon.restart({ env: { AGENT_WORKER_PORT: port } });
    // The session survives the daemon: the page goes on by itself.
    await page.getByText("Disconnected from the daemon").waitFor({ state: "detached" });
    value(await again.client.call("send-message", { to: "@review", message: "after the restart" }));
    await page.getByRole("log").getByText("after the restart").waitFor();
    expect(await page.getByText("Disconnected from the daemon").count()).toBe(0);
    await page.getByRole("log").getByText("take your time").first().waitFor();
  });

  test("[ui.decisions] ballots, approvals, dead letters and suggestions are handled", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.say("@review", "@rita let us vote");
    await opened.say("@review", "@cody run the tests");
    await opened.say("cody", "break");
    await opened.go("Decisions");

    const ballot = page.getByRole("article", { name: "Ship it today?" });
    await ballot.getByText("The fix is in.").waitFor();
    await ballot.getByLabel("Reason for your vote").fill("Tomorrow is better");
    await ballot.getByRole("button", { name: "wait" }).click();
    await page.getByText("You voted for wait.").waitFor();
    const { ballots } = value(await daemon.client.call("list-ballots", { target: "@review", all: true }));
    expect(ballots[0]?.votes).toMatchObject([
      { voter: "rita" },
      { voter: "user", option: "wait", reason: "Tomorrow is better" },
    ]);

    await page.getByText("Ask a team to decide").click();
    const form = page.getByRole("form", { name: "New ballot" });
    await form.getByLabel("Question").fill("Who writes?");
    await form.getByLabel("What follows").selectOption("document-owner");
    await form.getByRole("button", { name: "Open the vote" }).click();
    await page.getByText("votes on Who writes?.").waitFor();

    const approval = page.getByRole("article", { name: "cody wants to call bash" });
    await reveal(page, approval);
    await approval.getByText("printf made >> made.txt").waitFor();
    await approval.getByRole("button", { name: "Approve" }).click();
    await approval.getByText("cody may run the command.").waitFor();
    await eventually("the call was made", () => readFile(join(daemon.project, "made.txt")) === "made");

    const letter = page.getByRole("article", { name: "A message cody could not answer" });
    await reveal(page, letter);
    await letter.getByText("The model shiny-9 does not exist.").waitFor();
    await letter.getByRole("button", { name: "Retry" }).click();
    await letter.getByText("cody gets it once more.").waitFor();
    const lastOfCody = async () => value(await daemon.client.call("peek-channel", { target: "cody" })).messages.at(-1);
    await eventually("it was answered", async () => (await lastOfCody())?.content === "Now it works.");

    await opened.say("@review", "@sam note it");
    await opened.say("@review", "@rita suggest something");
    const suggestion = page.getByRole("article", { name: "rita suggests a change of notes.md" });
    await reveal(page, suggestion);
    await suggestion.getByText("For the next time.").waitFor();
    await suggestion.getByRole("button", { name: "Accept" }).click();
    await suggestion.getByText("notes.md was changed.").waitFor();
    await opened.go("@review");
    await page.getByRole("link", { name: "Documents" }).click();
    await page.getByRole("article", { name: "notes.md" }).getByText("tests are thin").waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.decisions] [ui.agents] what an agent wants to become is decided; it is shown with what it learned, and taken back", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.say("@review", "@cody please fix it");
    const said = async () => value(await daemon.client.call("peek-channel", { target: "@review", find: "Fixed:" }));
    await eventually("cody answers", async () => (await said()).messages.length === 1);
    await opened.say("@review", "@rita what did you learn");
    await opened.go("Decisions");
    const card = page.getByRole("article", { name: "A change of the soul of rita" });
    await card.getByText("add to principles: Run it before you judge").waitFor();
    await card.getByText("I found the bug only by running the code.").waitFor();
    await card.getByText("outside text").waitFor();
    await card.getByText("significant").waitFor();
    await card.getByLabel("Reason, kept with the decision").fill("True enough");
    await card.getByRole("button", { name: "Approve" }).click();
    await card.getByText("The soul of rita has a new version.").waitFor();
    expect(value(await daemon.client.call("list-soul-proposals", { state: "approved" })).proposals).toMatchObject([
      { agent: "rita", version: 1 },
    ]);

    await opened.go(/rita/);
    await page.getByRole("link", { name: "About" }).click();
    const facts = page.getByRole("region", { name: "Who it is" });
    await facts.getByText("learned", { exact: true }).waitFor();
    await facts.getByText("How it came to this: version 1").click();
    await facts.getByText("add to principles: Run it before you judge").waitFor();
    await facts.getByRole("button", { name: "Go back to it" }).last().click();
    await facts.getByRole("button", { name: "Really go back to it?" }).click();
    await facts.getByText("How it came to this: version 2").waitFor();
    await facts.getByText("learned", { exact: true }).waitFor({ state: "detached" });
    expect(value(await daemon.client.call("show-soul", { agent: "rita" })).soul["principles"]).toEqual([
      "Show the input that breaks it",
      "Bugs first",
    ]);

    // What it took from what others said is marked, and leads to where it happened.
    const memory = page.getByRole("row", { name: /tests-thin.*working, private.*outside text/ });
    await memory.getByRole("link", { name: "@review" }).waitFor();
    await memory.getByRole("link", { name: "its run" }).click();
    await page.getByRole("region", { name: "Given" }).getByText("outside text").waitFor();
    await opened.go("sam");
    await page.getByRole("link", { name: "About" }).click();
    await page.getByText("Who asked about it").click();
    await page.getByText("What is written down about average.js?").waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-live] what was said long ago comes when the reader gets there, and nothing that is read moves", async () => {
    await using opened = await open();
    const { page } = opened;
    for (let i = 1; i <= 230; i += 1) await opened.say("@review", `Message number ${i}.`);
    await opened.go(/@review/);
    const log = page.getByRole("log");
    await log.getByText("Message number 230.").waitFor();
    expect(await log.locator(".message").count()).toBe(40);
    const place = `document.querySelector("[role=log]")`;
    const top = (text: string): Promise<number> =>
      page.evaluate(
        `[...document.querySelectorAll(".message")].find((each) => each.textContent.includes(${JSON.stringify(text)})).getBoundingClientRect().top`,
      );
    const numbers = async (): Promise<number[]> =>
      (await log.locator(".message").allTextContents()).map((text) => Number(/number (\d+)\./.exec(text)?.[1]));
    const expectNoGap = (shown: readonly number[]): void =>
      expect(shown).toEqual(Array.from(shown, (_, i) => (shown[0] ?? 0) + i));
    await page.evaluate(`${place}.scrollTop = 60`);
    const before = await top("Message number 193.");
    await log.getByText("Message number 151.").waitFor({ state: "attached" });
    expect(Math.abs((await top("Message number 193.")) - before)).toBeLessThan(2);
    // Whatever was said, few messages are in the page, and none between them is missing.
    await eventually("the beginning is there", async () => {
      await page.evaluate(`${place}.scrollTop = 0`);
      return (await numbers())[0] === 1;
    });
    await page.getByRole("button", { name: "Earlier messages" }).waitFor({ state: "detached" });
    expectNoGap(await numbers());
    expect((await numbers()).length).toBeLessThanOrEqual(120);
    await eventually("the end is there again", async () => {
      await page.evaluate(`${place}.scrollTop = ${place}.scrollHeight`);
      return (await numbers()).at(-1) === 230;
    });
    expectNoGap(await numbers());
    await page.evaluate(`${place}.scrollTop = 200`);
    await opened.say("@review", "One more.");
    await page.getByRole("button", { name: "Newest messages" }).click();
    await log.getByText("One more.").waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.channel-live] the rules of a workspace are shown, and removed when that is said twice", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    value(
      await daemon.client.call("add-rule", {
        target: "@review",
        name: "tell-sam",
        when: { on: "message", from: "cody", contains: "fixed" },
        then: { propose: "send-message", data: { message: "@sam note it: ${{ message.text }}" } },
      }),
    );
    await opened.go(/@review/);
    await page.getByRole("link", { name: "Rules" }).click();
    const rule = page.getByRole("article", { name: "tell-sam" });
    await rule.getByText('When cody says something that holds "fixed", say:').waitFor();
    await rule.getByText("acted 0 times").waitFor();
    await opened.say("@review", "@cody please fix it");
    await rule.getByText("acted 1 time").waitFor();
    await rule.getByRole("button", { name: "Remove" }).click();
    await rule.getByRole("button", { name: "Really remove?" }).click();
    await page.getByText("Nothing happens here by itself.").waitFor();
    expect(value(await daemon.client.call("list-rules", {})).rules).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.decisions] a dead letter is dropped only when that is said twice", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.say("cody", "break");
    await opened.go(/Decisions/);
    const letter = page.getByRole("article", { name: "A message cody could not answer" });
    await letter.getByRole("button", { name: "Drop" }).click();
    await letter.getByRole("button", { name: "Really drop?" }).waitFor();
    expect(value(await daemon.client.call("list-dead-letters", {})).deliveries.length).toBe(1);
    await letter.getByRole("button", { name: "Really drop?" }).click();
    await letter.getByText("It was dropped.").waitFor();
    expect(value(await daemon.client.call("list-dead-letters", {})).deliveries).toEqual([]);
  });

  test("[ui.agents] an agent is shown with state, current run, memory, notes and todos", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.go("rita");
    await page.getByRole("link", { name: "About" }).click();
    await page.getByText("Show the input that breaks it", { exact: true }).waitFor();
    await page.getByText("idle, nothing to do").waitFor();
    await page.getByText("The loop of average.js ran one step too far.").waitFor();
    await page.getByText("2026-01-31 First look").click();
    await page.locator("strong").getByText("thin").waitFor();
    await page.getByLabel("read the tests").click();
    await page.getByText("Nothing is left to do.").waitFor();
    await page.getByLabel("Something for rita to do").fill("write more tests");
    await page.keyboard.press("Enter");
    await page.getByLabel("write more tests").waitFor();
    expect(value(await daemon.client.call("list-todos", { agent: "rita" })).todos).toMatchObject([
      { text: "write more tests" },
    ]);
    value(await daemon.client.call("set-memory", { agent: "rita", key: "colour", value: "blue" }));
    await page.getByRole("row", { name: /colour blue/ }).waitFor();
    await opened.say("rita", "take your time");
    await page.getByRole("link", { name: "at work in rita" }).waitFor();
    await opened.go("sam");
    await page.getByRole("link", { name: "About" }).click();
    await page.getByText("1h: Anything to write down?").waitFor();
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.runs] a run is shown with its steps, tool calls and cost", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.say("@review", "@rita let us vote");
    await opened.go("Runs");
    await page
      .getByRole("row", { name: /rita @review answered/ })
      .getByRole("link", { name: "rita" })
      .click();
    await page.getByText("Step 1").waitFor();
    expect(await page.locator(".steps > li").count()).toBe(3);
    await page.locator(".steps").getByText("proposal_create").click();
    await page.getByText('"title": "Ship it today?"').waitFor();
    await page.getByText("1 of 2 must vote").or(page.getByText("2 of 2 must vote")).first().waitFor();
    const { runs } = value(await daemon.client.call("list-runs", {}));
    const facts = await page.locator(".facts").first().textContent();
    expect(facts).toContain(runs[0]?.id);
    expect(facts).toMatch(/Tokens[\d,]+ in, [\d,]+ out/);
    expect(facts).toMatch(/Cost\$\d/);
    const receipt = page.getByRole("region", { name: "Given" });
    const { receipt: kept } = value(await daemon.client.call("show-run", { id: runs[0]?.id ?? "" }));
    await receipt.getByText(`About ${kept?.tokens.toLocaleString("en")} of`).waitFor();
    expect(kept?.parts.length).toBeGreaterThan(2);
    expect(await receipt.getByRole("row").count()).toBe((kept?.parts.length ?? 0) + 1);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.token] the code leaves the address at once, the key is never sent, the cookie is not readable, and nothing is asked elsewhere", async () => {
    await using opened = await open();
    const { page, daemon, requests } = opened;
    await opened.go("@review");
    await page.locator("#composer").fill("@rita look at it");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("log").getByText("Fixed: the bound is").first().waitFor();

    const { key } = await page.evaluate<{ key: string }>("JSON.parse(localStorage.getItem('agent-worker.session'))");
    expect(key).toMatch(/^awk_/);
    const addresses = [
      page.url(),
      await page.evaluate<string>("document.referrer"),
      ...requests.map((each) => each.url()),
    ];
    for (const address of addresses) expect(address).not.toMatch(/aw[cksu]_|code=/);
    expect(await page.evaluate("history.length")).toBeLessThan(5);
    expect(await page.evaluate<string>("document.cookie")).toBe("");
    expect(await page.evaluate<string>("document.documentElement.outerHTML")).not.toContain(key);

    expect(requests.length).toBeGreaterThan(10);
    for (const request of requests) {
      expect(new URL(request.url()).origin).toBe(daemon.url);
      const { referer } = request.headers();
      expect(referer ?? "").toBe("");
      expect(`${JSON.stringify(request.headers())}${request.postData() ?? ""}`).not.toContain(key);
    }
    await page.reload();
    await page.getByRole("log").getByText("Fixed: the bound is").first().waitFor();
  });

  test("[sessions.survive] [sessions.revoked-streams] a new tab is signed in, and signing out in one signs out all", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    const second = await opened.newTab();
    await second.goto(`${daemon.url}/#/channel/@review`);
    await second.getByRole("heading", { name: "@review" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    for (const tab of [page, second]) await tab.getByText("agent-worker ui", { exact: true }).waitFor();
    expect(await page.evaluate("localStorage.getItem('agent-worker.session')")).toBeNull();
    expect(await daemon.client.listPageSessions()).toEqual({ ok: true, value: { sessions: [] } });
  });

  test("[ui.token] an address that was used before lets nobody in, and says so", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    const { url, code } = await daemon.client.openPage();
    await fetch(`${url}ui/sessions`, { method: "POST", headers: { "x-agent-worker-code": code } });
    await page.goto("about:blank");
    await page.goto(`${url}#code=${code}`);
    await page.getByText("This address was used before, or is too old.").waitFor();
    expect(page.url()).toBe(url);
  });

  test("[ui.hostile-text] what agents write is shown as text, wherever it is shown", async () => {
    await using opened = await open();
    const { page } = opened;
    const isHarmless = async (): Promise<void> => {
      expect(await page.title()).not.toContain("owned");
      expect(
        await page.evaluate(
          "document.querySelectorAll('main img, main script, main iframe, .prose b, .prose i').length",
        ),
      ).toBe(0);
      const links = await page.evaluate<string[]>("[...document.querySelectorAll('main a')].map((a) => a.href)");
      for (const link of links) expect(link).toMatch(/^https?:\/\//);
    };
    await opened.say("@review", "@cody say something hostile");
    await opened.say("@review", "@sam write something hostile");
    await opened.say("@review", HOSTILE);
    await opened.go("@review");
    const log = page.getByRole("log");
    await log.getByText("<script>document.title='owned'</script>").first().waitFor();
    await log.getByText("Written.").first().waitFor();
    const shown = (await log.textContent()) ?? "";
    expect(shown).toContain("<img src=x onerror=\"document.title='owned'\">");
    expect(shown).toContain("[click me](javascript:document.title='owned')");
    expect(shown).toContain("\\u{1b}[31mred");
    expect(shown).toContain("\\u{202e}txet");
    for (const char of ["\u001b", "\u202e", "\u200b"]) expect(shown).not.toContain(char);
    await isHarmless();

    await page.getByRole("link", { name: "Documents" }).click();
    await page.getByRole("link", { name: "hostile.md" }).click();
    await page.getByRole("article", { name: "hostile.md" }).getByText("zero\\u{200b}width").first().waitFor();
    await isHarmless();
    await page.getByRole("button", { name: "As written" }).click();
    await isHarmless();
    await page.getByRole("link", { name: "Runs", exact: true }).first().click();
    await page.getByRole("row", { name: /sam/ }).getByRole("link", { name: "sam" }).click();
    await page.getByText("team_doc_create").click();
    await page.locator("pre.plain").first().waitFor();
    await isHarmless();
    // And whatever slipped through could not run: the page may not turn text into markup at all.
    const refused = await page.evaluate<string>(
      "(() => { try { document.body.insertAdjacentHTML('beforeend', '<i>x</i>'); return 'ran'; } catch (e) { return e.name; } })()",
    );
    expect(refused).toBe("TypeError");
  });

  test("[ui.served] narrow and wide, dark and light, it works with the keyboard and says what it is", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await page.keyboard.press("Control+k");
    await page.keyboard.type("rev");
    await page.getByRole("option", { name: "@review", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "@review" }).waitFor();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("heading", { name: "cody" }).waitFor();
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 1400]) {
        await page.setViewportSize({ width, height: 700 });
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
        expect(await page.evaluate<string[]>(UNNAMED)).toEqual([]);
      }
    }
    await page.setViewportSize({ width: 360, height: 700 });
    await page.getByRole("button", { name: /Menu/ }).click();
    await opened.go("Overview");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByRole("combobox", { name: "Workflow" }).selectOption("tests");
    await page.getByLabel("package").fill("left; touch owned.txt");
    await page.getByLabel("way").selectOption("slow");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "@tests" }).waitFor();
    expect(readFile(join(daemon.project, "asked.txt"))).toBe("left; touch owned.txt 3 slow");
    await page.getByRole("button", { name: /Menu/ }).click();
    await opened.go("Overview");
    await page.getByRole("combobox", { name: "Workflow" }).selectOption("review");
    await page.getByLabel("Tag").fill("second");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "@review:second" }).waitFor();
    const { workspaces } = value(await daemon.client.call("list-workspaces", { state: "open" }));
    expect(workspaces.map(({ space }) => space)).toEqual(["@review:main", "@review:second", "@tests:main"]);
    expect(opened.complaints).toEqual([]);
  });
});

/** Shows a card that may wait behind those that are shown already. */
async function reveal(page: BrowserPage, card: Found): Promise<void> {
  const more = page.getByRole("button", { name: /^\d+ new$/ });
  await more.or(card).first().waitFor();
  await eventually("the card is shown", async () => {
    if ((await card.count()) > 0) return true;
    if ((await more.count()) > 0) await more.press("Enter");
    return false;
  });
}

/** Controls without a name for those who cannot see them. */
const UNNAMED = `[...document.querySelectorAll("button, a, input, select, textarea")]
  .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || each.closest("label")))
  .map((each) => each.outerHTML)`;

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
