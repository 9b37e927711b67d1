import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserInstalled, openBrowser, type Browser, type Found } from "../support/page/browser.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

/** Each agent wants to make a file with its own name, and needs approval for it. */
const NAMES = ["anna", "bert", "cleo"] as const;
type Name = (typeof NAMES)[number];

const TEAM: Readonly<Record<string, string>> = Object.fromEntries([
  [".workflows/review.yaml", `name: review\nagents:\n${NAMES.map((name) => `  ${name}: { ref: ${name} }\n`).join("")}`],
  ...NAMES.flatMap((name) => [
    [
      `.agents/${name}.yaml`,
      `name: ${name}
backend: mock
model: scripts/${name}.yaml
prompt: { system: You are ${name}. }
tools: [bash]
permissions: { mode: host }
`,
    ],
    [
      `scripts/${name}.yaml`,
      `
- when: go on
  steps:
    - { call: { tool: bash, args: { command: "printf made > ${name}.txt" } } }
    - { say: Done. }
- when: clean up
  steps:
    - { call: { tool: bash, args: { command: "rm -rf build && printf made > ${name}.txt" } } }
    - { say: Done. }
- when: break
  steps:
    - { fail: permanent, message: "The model shiny-9 does not exist." }
    - { fail: permanent, message: "The model shiny-9 is still not there." }
    - { say: Now it works. }
`,
    ],
  ]),
]);

let browser: Browser & AsyncDisposable;

interface Waiting extends OpenedPage {
  /** Lets the agent ask for its approval, and waits until the daemon has the request. */
  request(name: Name): Promise<void>;
  card(name: Name): Found;
  approvals(): Promise<Readonly<Record<string, string>>>;
  /** Puts the pointer on the middle of a button of the card, as soon as it takes clicks. */
  pointAt(name: Name, button: string): Promise<void>;
  press(): Promise<void>;
}

async function open(...names: readonly Name[]): Promise<Waiting> {
  const opened = await openPage(browser, TEAM);
  const { daemon, page } = opened;
  const approvals = async () => {
    const listed = value(await daemon.client.call("list-approvals", { state: "all" }));
    return Object.fromEntries(listed.approvals.map(({ agent, state }) => [agent, state]));
  };
  const request = async (name: Name): Promise<void> => {
    await opened.say(name, "go on");
    await eventually(`${name} asks`, async () => (await approvals())[name] === "pending");
  };
  const card = (name: Name): Found => page.getByRole("article", { name: `${name} wants to call bash` });
  for (const name of names) await request(name);
  const link = names.length === 0 ? "Decisions" : `Decisions ${names.length} waiting for you`;
  await opened.go(new RegExp(link, "u"));
  for (const name of names) await card(name).waitFor();
  return {
    ...opened,
    request,
    card,
    approvals,
    async pointAt(name, button) {
      const found = card(name).getByRole("button", { name: button });
      await eventually("the button takes clicks", () => found.isEnabled());
      const box = await found.boundingBox();
      if (box === null) throw new Error(`${button} of ${name} is not shown.`);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    },
    async press() {
      await page.mouse.down();
      await page.mouse.up();
    },
  };
}

describe.skipIf(!browserInstalled)("decisions in a browser (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.decision-clicks] a click on Approve approves what was there, also when another request arrives under the pointer", async () => {
    await using opened = await open("anna");
    const { page, daemon } = opened;
    await opened.pointAt("anna", "Approve");
    await opened.request("bert");
    const more = page.getByRole("button", { name: "1 new" });
    await more.or(opened.card("bert")).first().waitFor();
    await opened.press();
    await eventually("something is decided", async () => Object.values(await opened.approvals()).includes("approved"));
    expect(await opened.approvals()).toEqual({ anna: "approved", bert: "pending" });
    await eventually("the call was made", () => existsSync(join(daemon.project, "anna.txt")));
    expect(existsSync(join(daemon.project, "bert.txt"))).toBe(false);

    // What was decided stays where it is; what is new comes after it.
    await opened.card("anna").getByText("anna may run the command.").waitFor();
    await opened.card("bert").getByRole("button", { name: "Deny" }).click();
    await opened.card("bert").getByText("bert may not run the command.").waitFor();
    expect(await opened.approvals()).toEqual({ anna: "approved", bert: "denied" });
    expect(await page.locator(".card").allTextContents()).toMatchObject([
      expect.stringContaining("anna.txt"),
      expect.stringContaining("bert.txt"),
    ]);
    // Until the view is left.
    await opened.go("Overview");
    await opened.go(/Decisions/);
    await page.getByText("Nothing waits for you.").waitFor();
    expect(await page.locator(".card").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.decision-clicks] a request that is decided elsewhere keeps its place, so that no other one comes under the pointer", async () => {
    await using opened = await open("anna", "bert", "cleo");
    const { page, daemon } = opened;
    expect(await page.locator(".card").allTextContents()).toMatchObject(
      NAMES.map((name) => expect.stringContaining(`${name}.txt`)),
    );
    await opened.pointAt("anna", "Approve");
    const { approvals } = value(await daemon.client.call("list-approvals", {}));
    const id = approvals.find(({ agent }) => agent === "anna")?.id ?? "";
    value(await daemon.client.call("deny", { id }));
    await opened.card("anna").getByText("It does not wait any more").waitFor();
    await opened.press();
    await opened.pointAt("cleo", "Approve");
    await opened.press();
    await opened.card("cleo").getByText("cleo may run the command.").waitFor();
    expect(await opened.approvals()).toEqual({ anna: "denied", bert: "pending", cleo: "approved" });
  });

  test("[ui.decision-clicks] a card that has just moved under the pointer ignores the click, and says so", async () => {
    await using opened = await open("anna", "bert");
    const { page } = opened;
    const top = async (name: Name): Promise<number> => (await opened.card(name).boundingBox())?.y ?? 0;
    const [upper, lower] = (await top("anna")) < (await top("bert")) ? NAMES : (["bert", "anna"] as const);
    await opened.pointAt(lower, "Approve");
    // Something above the cards appears, takes exactly the place of one of them, and does not come to rest.
    const height = (await top(lower)) - (await top(upper));
    await page.evaluate(`{
      const above = document.createElement("div");
      document.querySelector(".view .section").before(above);
      let wobble = 0;
      window.keepMoving = () => {
        above.style.height = ${height} + (wobble = 3 - wobble) + "px";
        window.moving = setTimeout(window.keepMoving, 50);
      };
      window.keepMoving();
    }`);
    await opened.press();
    const card = opened.card(upper);
    await card.getByText("The card has just moved, so the click did nothing.").waitFor();
    expect(await opened.approvals()).toEqual({ anna: "pending", bert: "pending" });
    // It is the next click, when the card has stayed where it is, that counts.
    await page.evaluate("clearTimeout(window.moving)");
    await opened.pointAt(upper, "Approve");
    await opened.press();
    await card.getByText(`${upper} may run the command.`).waitFor();
    expect(await opened.approvals()).toEqual({ [upper]: "approved", [lower]: "pending" });
    expect(await card.getByText("has just moved").count()).toBe(0);
    // The keyboard acts on what has the focus, wherever that is.
    await page.evaluate("window.keepMoving()");
    await opened.card(lower).getByRole("button", { name: "Deny" }).focus();
    await page.keyboard.press("Enter");
    await opened.card(lower).getByText(`${lower} may not run the command.`).waitFor();
    // And goes on from there.
    const focused = "document.activeElement.closest('.card')?.getAttribute('aria-label')";
    expect(await page.evaluate<string>(focused)).toBe(`${lower} wants to call bash`);
  });

  test("[ui.decision-clicks] a double click does not answer the second question, nor do two keys in a row", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.say("anna", "clean up");
    const approve = opened.card("anna").getByRole("button", { name: "Approve" });
    const really = opened.card("anna").getByRole("button", { name: "Really approve?" });
    const answer = opened.card("anna").getByText("anna may run the command.");
    await approve.dblclick();
    await really.waitFor();
    await page.keyboard.press("Tab");
    await approve.waitFor();
    // Two clicks that the browser does not take for a double click.
    await opened.pointAt("anna", "Approve");
    await opened.press();
    await opened.press();
    await really.waitFor();
    await page.keyboard.press("Tab");
    await approve.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await really.waitFor();
    expect(await answer.count()).toBe(0);
    expect(await opened.approvals()).toEqual({ anna: "pending" });
    // Who has read the question answers it.
    await really.click();
    await answer.waitFor();
    await eventually("the call was made", () => existsSync(join(daemon.project, "anna.txt")));

    // The same holds for everything that asks twice.
    await opened.go(/@review/);
    await page.getByRole("button", { name: "Stop" }).dblclick();
    await page.getByRole("button", { name: "Really stop?" }).waitFor();
    const states = value(await daemon.client.call("list-workspaces", {})).workspaces.map(({ state }) => state);
    expect(states).toEqual(["open"]);
  });

  test("[ui.decision-clicks] what is new is shown on request, after the rest, and takes no click in its first moment", async () => {
    await using opened = await open("anna");
    const { page } = opened;
    await opened.request("bert");
    const more = page.getByRole("button", { name: "1 new" });
    await more.waitFor();
    expect(await opened.card("bert").count()).toBe(0);
    await page.evaluate(`{
      window.firstStates = [];
      new MutationObserver(() => {
        const groups = [...document.querySelectorAll(".card [role=group]")];
        if (groups.length > 1) window.firstStates.push(groups.at(-1).getAttribute("aria-disabled"));
      }).observe(document.querySelector(".view"), { subtree: true, childList: true });
    }`);
    await more.click();
    await opened.card("bert").getByRole("button", { name: "Approve" }).click();
    await opened.card("bert").getByText("bert may run the command.").waitFor();
    expect((await page.evaluate<string[]>("window.firstStates"))[0]).toBe("true");
    expect(await opened.approvals()).toEqual({ anna: "pending", bert: "approved" });
    expect(await page.locator(".card").allTextContents()).toMatchObject([
      expect.stringContaining("anna.txt"),
      expect.stringContaining("bert.txt"),
    ]);
  });

  test("[ui.decisions] a retry that fails again leaves a card that can be used", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.say("anna", "break");
    const letter = page.getByRole("article", { name: "A message anna could not answer" });
    await letter.getByText("The model shiny-9 does not exist.").waitFor();
    await letter.getByRole("button", { name: "Retry" }).click();
    await letter.getByText("The model shiny-9 is still not there.").waitFor();
    await letter.getByText("It failed again.").waitFor();
    await letter.getByRole("button", { name: "Retry" }).click();
    const lastOfAnna = async () => value(await daemon.client.call("peek-channel", { target: "anna" })).messages.at(-1);
    await eventually("it was answered", async () => (await lastOfAnna())?.content === "Now it works.");
    await letter.getByText("anna gets it once more.").waitFor();
    expect(value(await daemon.client.call("list-dead-letters", {})).deliveries).toEqual([]);
  });

  test("[ui.agents] an agent that waits for an approval is not shown as at work", async () => {
    await using opened = await open();
    const { page } = opened;
    const team = page.getByRole("navigation", { name: "Team" });
    await opened.say("@review", "@anna go on");
    await team.getByRole("link", { name: /^anna.*waiting for you/ }).waitFor();
    await opened.go("Overview");
    await page.getByRole("link", { name: "0 at work" }).waitFor();
    await page
      .getByRole("region", { name: "Waiting" })
      .getByRole("row", { name: /anna.*waiting for you/ })
      .waitFor();
    await opened.go(/@review/);
    await page.getByRole("log").getByText("waits for your approval").waitFor();
    await page.reload();
    await page.getByRole("log").getByText("waits for your approval").waitFor();
    expect(await page.getByText("at work").count()).toBe(0);
    await opened.go(/^anna/);
    await page.getByRole("link", { name: "About" }).click();
    await page.getByRole("link", { name: "waiting for you in @review" }).waitFor();
    expect(await page.getByText("at work").count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.agents] a definition that is broken is shown, and the page does not look as if all were well", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.go("Overview");
    const good = page.getByRole("region", { name: "Daemon" }).locator(".badge.good");
    await good.waitFor();
    daemon.write(".agents/bert.yaml", "name: bert\nbackend: mock\nprompt: { system: You are bert.\n");
    const broken = page.getByRole("region", { name: "Broken definitions" });
    await broken.getByText(".agents/bert.yaml").first().waitFor();
    await page.getByRole("link", { name: /Overview.*\d broken definition/ }).waitFor();
    expect(await good.count()).toBe(0);
    daemon.write(".agents/bert.yaml", TEAM[".agents/bert.yaml"] ?? "");
    await broken.waitFor({ state: "detached" });
    await good.waitFor();
  });
});
