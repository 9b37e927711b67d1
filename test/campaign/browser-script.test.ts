import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import type { FakeReply, RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";
import { takePicture } from "../support/page/pictures.ts";
import { signIn } from "../support/page/sign-in.ts";
import { eventually } from "../support/team/running-project.ts";

let browser: Browser & AsyncDisposable;

const USAGE = { input: 12_000, output: 400 };

/** The driver mends a file with a tool; the navigator answers as its prompt says. */
function answer({ system, messages }: RecordedRequest): FakeReply {
  if (!system.includes("You work on one task")) {
    const text = system.includes("Answer in French.") ? "C'est bien." : "Looks right.";
    return { text, usage: USAGE };
  }
  const isDone = JSON.stringify(messages).includes("call_mend");
  if (isDone) return { text: "The greeting is mended.", usage: USAGE };
  const args = { path: "greeting.txt", content: "Hello world\n" };
  return { toolCalls: [{ id: "call_mend", name: "write_file", args }], usage: USAGE };
}

describe.skipIf(!browserInstalled)("a person who never uses the terminal (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.without-terminal] makes a team, gives it work, approves an edit, changes a prompt, sees what it cost", async () => {
    await using model = await startFakeModelServer(answer);
    await using daemon = await startTestDaemon({
      env: { AGENT_WORKER_TRUST: "", ANTHROPIC_BASE_URL: `${model.url}/v1` },
      files: { "greeting.txt": "Helo world\n" },
    });
    await using signedIn = await signIn(browser, daemon);
    const { page } = signedIn;
    const team = page.getByRole("navigation", { name: "Team" });

    // An empty project invites. First a model: the key goes to the home and is not shown again.
    await page.getByRole("heading", { name: "This project is empty" }).waitFor();
    await page.getByRole("link", { name: "Connect a model" }).click();
    const keys = page.getByRole("form", { name: "Key of a provider" });
    await keys.getByLabel("Provider").selectOption("anthropic");
    await keys.getByLabel("Key").fill("sk-ant-only-a-test-0123456789abcdef");
    await keys.getByRole("button", { name: "Keep the key" }).click();
    await page.getByText(/The key of anthropic is kept in/).waitFor();
    expect(await keys.getByLabel("Key").inputValue()).toBe("");
    await takePicture(page, "script-1-model");

    // A team from a template.
    await team.getByRole("link", { name: "Overview" }).click();
    const form = page.getByRole("form", { name: "New team" });
    await form.getByRole("radio", { name: /pair/ }).click();
    await form.getByLabel("What it runs on").selectOption("0");
    await takePicture(page, "script-2-team");
    await form.getByRole("button", { name: "Make the team" }).click();
    await team.getByRole("link", { name: "driver" }).waitFor();
    expect(readFileSync(join(daemon.project, ".agents/driver.yaml"), "utf8")).toContain("model: auto");

    // Work for it, and the edit it wants to make, as a diff.
    await page.getByRole("combobox", { name: "Workflow" }).selectOption("pair");
    await page.getByLabel("task").fill("mend the greeting");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("heading", { name: "@pair" }).waitFor();
    const card = page.getByRole("article", { name: /driver wants to/ });
    await card.waitFor();
    await card.locator(".diff-line.added").getByText("Hello world").waitFor();
    await takePicture(page, "script-3-approve");
    await card.getByRole("group", { name: "Decide" }).and(page.locator("[aria-disabled=false]")).waitFor();
    await card.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("log").getByText("The greeting is mended.").first().waitFor();
    expect(readFileSync(join(daemon.project, "greeting.txt"), "utf8")).toBe("Hello world\n");

    // Another prompt: the change is shown before it is written, and the next answer follows it.
    const write = async (text: string): Promise<void> => {
      await page.getByLabel("Write to navigator").fill(text);
      await page.keyboard.press("Control+Enter");
    };
    await team.getByRole("link", { name: "navigator" }).click();
    await write("What do you think of the greeting?");
    await page.getByRole("log").getByText("Looks right.").first().waitFor();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    const fields = page.getByRole("form", { name: "Fields of navigator" });
    const prompt = fields.getByLabel("System prompt");
    await eventually("the prompt is there", async () => (await prompt.inputValue()).includes("You read along"));
    await prompt.fill(`${(await prompt.inputValue()).trimEnd()}\nAnswer in French.\n`);
    await fields.getByRole("button", { name: "See the change" }).click();
    await page.locator(".diff-line.added").getByText("Answer in French.").waitFor();
    await takePicture(page, "script-4-prompt");
    await eventually("it can be saved", () => page.getByRole("button", { name: "Save" }).isEnabled());
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(".agents/navigator.yaml was written.").first().waitFor();
    expect(readFileSync(join(daemon.project, ".agents/navigator.yaml"), "utf8")).toContain("# Reads along");
    await team.getByRole("link", { name: "navigator" }).click();
    await write("And now?");
    await page.getByRole("log").getByText("C'est bien.").first().waitFor();

    // What it cost.
    await team.getByRole("link", { name: "Overview" }).click();
    const used = page.getByRole("region", { name: "Used so far" });
    await used
      .getByText(/\$0\.\d+|~\$|\$/)
      .first()
      .waitFor();
    await takePicture(page, "script-5-cost");
    expect(model.requests.every(({ headers }) => headers["x-api-key"] === "sk-ant-only-a-test-0123456789abcdef")).toBe(
      true,
    );
    expect(signedIn.complaints).toEqual([]);
  }, 180_000);
});
