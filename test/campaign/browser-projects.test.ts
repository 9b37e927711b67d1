import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { browserInstalled, openBrowser, type Browser, type HeldRequest } from "../support/page/browser.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

/** Two projects of one daemon with the same names in them: only the project tells them apart. */
const TEAM: Readonly<Record<string, string>> = {
  ".agents/rita.yaml": "name: rita\nbackend: mock\nmodel: scripts/rita.yaml\nprompt: { system: You are rita. }\n",
  "scripts/rita.yaml": "- when: hello\n  steps:\n    - { say: Hello. }\n",
  ".workflows/review.yaml": "name: review\nagents:\n  rita: { ref: rita }\n",
};

let browser: Browser & AsyncDisposable;

interface TwoProjects extends OpenedPage {
  /** The client of the second project. */
  readonly other: Client;
  select(project: "project" | "other"): Promise<void>;
  messagesOf(client: Client): Promise<readonly string[]>;
}

async function openTwoProjects(): Promise<TwoProjects> {
  const opened = await openPage(browser, TEAM);
  const { daemon, page } = opened;
  const dir = join(dirname(daemon.project), "other");
  for (const [path, text] of Object.entries(TEAM)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const other = await daemon.clientFor(dir);
  value(await other.serve({ workflow: "review", until: "started" }));
  value(await daemon.client.call("send-message", { to: "@review", message: "This is the secret plan." }));
  value(await other.call("send-message", { to: "@review", message: "This is the public plan." }));
  await page.reload();
  await page.getByRole("combobox", { name: "Project" }).locator("option").last().waitFor({ state: "attached" });
  return {
    ...opened,
    other,
    async select(project) {
      await page.getByRole("combobox", { name: "Project" }).selectOption(project);
      await opened.go(/@review/);
      await page.getByRole("heading", { name: "@review" }).waitFor();
    },
    async messagesOf(client) {
      const { messages } = value(await client.call("peek-channel", { target: "@review" }));
      return messages.map(({ content }) => content);
    },
  };
}

/** Holds the requests to an address back until they are let go. */
async function hold({ page, daemon }: TwoProjects, address: RegExp) {
  const held: HeldRequest[] = [];
  let holding = true;
  await page.route(address, async (route) => {
    const project = decodeURIComponent(route.request().headers()["x-agent-worker-project"] ?? "");
    if (holding && project === daemon.project) held.push(route);
    else await route.continue();
  });
  return {
    held,
    async letGo(): Promise<void> {
      holding = false;
      for (const route of held.splice(0)) await route.continue();
    },
  };
}

describe.skipIf(!browserInstalled)("two projects in a browser (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.project-switch] another project shows neither the messages nor the draft of the first, and a message goes where it is shown", async () => {
    await using opened = await openTwoProjects();
    const { page, daemon, other } = opened;
    const [log, composer] = [page.getByRole("log"), page.locator("#composer")];
    await opened.select("project");
    await log.getByText("This is the secret plan.").waitFor();
    await composer.fill("The password is swordfish");

    await opened.select("other");
    await log.getByText("This is the public plan.").waitFor();
    expect(await log.getByText("This is the secret plan.").count()).toBe(0);
    expect(await composer.inputValue()).toBe("");
    await composer.fill("For everybody to read");
    await page.getByRole("button", { name: "Send" }).click();
    await log.getByText("For everybody to read").waitFor();
    expect(await opened.messagesOf(other)).toEqual(["This is the public plan.", "For everybody to read"]);
    expect(await opened.messagesOf(daemon.client)).toEqual(["This is the secret plan."]);

    // The draft of the first project waits there, and goes there.
    await composer.fill("A second thought");
    await opened.select("project");
    await log.getByText("This is the secret plan.").waitFor();
    expect(await log.getByText("For everybody to read").count()).toBe(0);
    expect(await composer.inputValue()).toBe("The password is swordfish");
    await page.getByRole("button", { name: "Send" }).click();
    await log.getByText("The password is swordfish").waitFor();
    expect(await opened.messagesOf(daemon.client)).toEqual(["This is the secret plan.", "The password is swordfish"]);
    expect((await opened.messagesOf(other)).length).toBe(2);
    await opened.select("other");
    expect(await composer.inputValue()).toBe("A second thought");
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.project-switch] an answer that comes late is not shown under the project that is open by then", async () => {
    await using opened = await openTwoProjects();
    const { page } = opened;
    const log = page.getByRole("log");
    const late = await hold(opened, /\/channel/);
    await opened.select("project");
    await eventually("the page asks for the messages", () => late.held.length > 0);
    await opened.select("other");
    await log.getByText("This is the public plan.").waitFor();
    await late.letGo();
    // The page has handled everything before this message when it shows it.
    value(await opened.other.call("send-message", { to: "@review", message: "And one more." }));
    await log.getByText("And one more.").waitFor();
    expect(await log.getByText("This is the secret plan.").count()).toBe(0);
    await opened.select("project");
    await log.getByText("This is the secret plan.").waitFor();
    expect(await log.getByText("This is the public plan.").count()).toBe(0);
  });

  test("[ui.project-switch] a message that is still on its way leaves the draft of the other project alone, and is sent once", async () => {
    await using opened = await openTwoProjects();
    const { page, daemon, other } = opened;
    const composer = page.locator("#composer");
    await opened.select("project");
    const sending = await hold(opened, /\/send/);
    await composer.fill("On its way");
    await page.getByRole("button", { name: "Send" }).click();
    await eventually("the message is on its way", () => sending.held.length > 0);
    await opened.select("other");
    await composer.fill("Not finished yet");
    await opened.select("project");
    expect(await page.getByRole("button", { name: "Sending…" }).isEnabled()).toBe(false);
    await opened.select("other");
    await sending.letGo();
    await eventually("it arrives", async () => (await opened.messagesOf(daemon.client)).includes("On its way"));
    value(await other.call("send-message", { to: "@review", message: "And one more." }));
    await page.getByRole("log").getByText("And one more.").waitFor();
    expect(await composer.inputValue()).toBe("Not finished yet");
    expect(await page.getByText("Nobody is mentioned").count()).toBe(0);
    await opened.select("project");
    await page.getByRole("log").getByText("On its way").waitFor();
    expect(await composer.inputValue()).toBe("");
    expect(await opened.messagesOf(daemon.client)).toEqual(["This is the secret plan.", "On its way"]);
  });

  test("[ui.project-switch] each project opens at the view it was left at, and the way back leads to the project it was seen in", async () => {
    await using opened = await openTwoProjects();
    const { page } = opened;
    const projects = page.getByRole("combobox", { name: "Project" });
    await opened.select("project");
    await page.getByRole("log").getByText("This is the secret plan.").waitFor();
    await projects.selectOption("other");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await opened.go("Runs");
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    await projects.selectOption("project");
    await page.getByRole("log").getByText("This is the secret plan.").waitFor();
    await page.evaluate("history.back()");
    await page.getByRole("heading", { name: "Runs" }).waitFor();
    expect(await projects.inputValue()).toMatch(/other$/);
  });
});
