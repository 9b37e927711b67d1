import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";
import { openPage, type OpenedPage } from "../support/page/open-page.ts";
import { findViolations } from "../support/page/axe.ts";
import { takePicture } from "../support/page/pictures.ts";
import { PAGE_TEAM } from "../support/page/page-team.ts";
import { signIn } from "../support/page/sign-in.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

let browser: Browser & AsyncDisposable;

const open = (): Promise<OpenedPage> => openPage(browser, PAGE_TEAM);
const textOf = ({ daemon }: Pick<OpenedPage, "daemon">, file: string): string =>
  readFileSync(join(daemon.project, file), "utf8");

describe.skipIf(!browserInstalled)("editing on the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.edit] a workflow is edited as YAML: mistakes while typing, a diff, and nobody is overwritten", async () => {
    await using opened = await open();
    const { page } = opened;
    await opened.go("Files");
    await page.getByRole("region", { name: "Workflows" }).getByRole("link", { name: "review" }).click();
    await page.getByRole("button", { name: "YAML" }).click();
    const editor = page.getByLabel("Text of .workflows/review.yaml");
    await editor.waitFor();
    const before = await editor.inputValue();
    await editor.fill(`${before}kickof: hello\n`);
    const problems = page.getByRole("status", { name: "What is wrong" });
    await problems
      .getByText(/kickof/)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "See the change" }).isEnabled()).toBe(false);
    await problems.getByRole("button", { name: /Line/ }).first().click();
    await editor.fill(`${before}kickoff: "please begin, @rita"\n`);
    await problems.getByText("No mistakes").waitFor();
    await page.getByRole("button", { name: "See the change" }).click();
    await page.locator(".diff-line.added").getByText("please begin").waitFor();
    // Somebody else writes meanwhile.
    opened.daemon.write(".workflows/review.yaml", `${before}# theirs\n`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("was changed by somebody else meanwhile").waitFor();
    expect(textOf(opened, ".workflows/review.yaml")).toBe(`${before}# theirs\n`);
    expect(opened.complaints.filter((each) => !each.includes("409"))).toEqual([]);
  });

  test("[ui.edit] the budget and the kickoff of a workflow are fields of a form; its comments stay", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    const before = textOf(opened, ".workflows/review.yaml");
    daemon.write(".workflows/review.yaml", `# Who looks at changes.\n${before}`);
    await opened.go("Files");
    await page.getByRole("region", { name: "Workflows" }).getByRole("link", { name: "review" }).click();
    await page.getByLabel("Kickoff").fill("@rita please begin.");
    await page.getByLabel("Budget: runs").fill("12");
    await page.getByLabel("Budget: dollars").fill("2.5");
    await page.getByLabel("Budget: time at work").fill("soon");
    await page.getByRole("button", { name: "See the change" }).click();
    // What the file would say is checked before it can be saved.
    await page.getByRole("status", { name: "What is wrong" }).getByText(/soon/).first().waitFor();
    expect(await page.getByRole("button", { name: "Save" }).isEnabled()).toBe(false);
    await page.getByRole("button", { name: "Back to the form" }).click();
    await page.getByLabel("Budget: time at work").fill("30m");
    await page.getByRole("button", { name: "See the change" }).click();
    await page.locator(".diff-line.added").getByText("wall_time: 30m").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(".workflows/review.yaml was written.").first().waitFor();
    const after = textOf(opened, ".workflows/review.yaml");
    expect(after).toContain("# Who looks at changes.");
    expect(after).toContain("turns: 12");
    expect(value(await daemon.client.call("draft-workflow-file", { name: "review" })).fields).toMatchObject({
      kickoff: "@rita please begin.",
      turns: 12,
      dollars: 2.5,
      wallTime: "30m",
      documentOwner: "sam",
    });
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.edit] what is not saved is there when the person comes back to it", async () => {
    await using opened = await open();
    const { page } = opened;
    await opened.go("Files");
    const agents = page.getByRole("region", { name: "Agents" });
    await agents.getByRole("link", { name: "rita" }).click();
    const prompt = page.getByRole("form", { name: "Fields of rita" }).getByLabel("System prompt");
    const before = await prompt.inputValue();
    await prompt.fill("You read slowly.");
    await page.goBack();
    await prompt.waitFor({ state: "detached" });
    await page.goForward();
    await page.getByText("You have not saved this yet.").waitFor();
    expect(await prompt.inputValue()).toBe("You read slowly.");
    // Another file, its text, and back; then a reload.
    await agents.getByRole("link", { name: "sam" }).click();
    await page.getByRole("button", { name: "YAML" }).click();
    const text = page.getByLabel("Text of .agents/sam.yaml");
    const written = `${await text.inputValue()}# mine\n`;
    await text.fill(written);
    await agents.getByRole("link", { name: "rita" }).click();
    await prompt.waitFor();
    expect(await prompt.inputValue()).toBe("You read slowly.");
    await page.reload();
    await prompt.waitFor();
    expect(await prompt.inputValue()).toBe("You read slowly.");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await prompt.inputValue()).toBe(before);
    await agents.getByRole("link", { name: "sam" }).click();
    await text.waitFor();
    expect(await text.inputValue()).toBe(written);
    await page.getByRole("button", { name: "See the change" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await eventually("it was written", () => textOf(opened, ".agents/sam.yaml") === written);
    // What was saved or given up does not come back.
    await agents.getByRole("link", { name: "rita" }).click();
    await prompt.waitFor();
    expect(await prompt.inputValue()).toBe(before);

    await opened.go(/@review/);
    await page.getByRole("link", { name: "Documents" }).click();
    await page.getByLabel("Name of a new document").fill("draft");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("button", { name: "Write something" }).click();
    const document = page.getByLabel("Text of draft.md");
    await document.fill("half a thought");
    await page.getByRole("link", { name: "Channel" }).click();
    await document.waitFor({ state: "detached" });
    await page.goBack();
    await document.waitFor();
    expect(await document.inputValue()).toBe("half a thought");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("It is empty.").waitFor();
  });

  test("[ui.edit] an agent is made, edited with the form, used, and deleted", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.go("Files");
    await page.getByRole("button", { name: "New agent" }).click();
    // A name that is taken is said at once, and a name can be changed after the beginning.
    const name = page.getByLabel("Name of the new agent");
    await name.fill("rita");
    await page.getByText("There is an agent rita already.").waitFor();
    expect(await page.getByRole("button", { name: "Begin" }).isEnabled()).toBe(false);
    await name.fill("nino");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("button", { name: "Change the name" }).click();
    await name.fill("nina");
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("button", { name: "Go on editing" }).click();
    await page.getByLabel("Text of .agents/nina.yaml").fill("backend: mock\nprompt: { system: Hello. }\n");
    await page.getByRole("button", { name: "See the change" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    const fields = page.getByRole("form", { name: "Fields of nina" });
    await fields.getByLabel("Role").fill("tester");
    await fields.getByLabel("Principles").fill("Small steps\nSay why");
    await fields.getByLabel("Budget: dollars a day").fill("2.5");
    await fields.getByRole("button", { name: "See the change" }).click();
    await page.locator(".diff-line.added").getByText("role: tester").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await eventually("it was written", () => textOf(opened, ".agents/nina.yaml").includes("cost_usd: 2.5"));
    expect(value(await daemon.client.call("show-agent", { name: "nina" })).soul).toMatchObject({
      role: "tester",
      principles: ["Small steps", "Say why"],
    });
    await page.getByRole("button", { name: "Delete nina" }).click();
    await page.getByRole("button", { name: "Really delete nina?" }).click();
    await page.getByText("nina was deleted.").waitFor();
    expect(value(await daemon.client.call("list-agents", {})).agents.map(({ name }) => name)).not.toContain("nina");
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.edit] memory, notes and todos of an agent are written, changed and forgotten", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.go("rita");
    await page.getByRole("link", { name: "About" }).click();
    await page.getByText("Let it remember something").click();
    const memory = page.getByRole("form", { name: "New memory" });
    await memory.getByLabel("Key").fill("tea");
    await memory.getByLabel("What it should remember").fill("Green, please");
    await memory.getByRole("button", { name: "Remember" }).click();
    const row = page.getByRole("row", { name: /tea/ });
    await row.getByRole("button", { name: "Edit tea" }).click();
    await page.getByRole("form", { name: "Memory tea" }).getByLabel("What it should remember").fill("Black, please");
    await page.getByRole("form", { name: "Memory tea" }).getByRole("button", { name: "Remember" }).click();
    await row.getByText("Black, please").waitFor();
    await row.getByRole("button", { name: "Forget" }).click();
    await row.getByRole("button", { name: "Really forget?" }).click();
    await row.waitFor({ state: "detached" });
    await page.getByText("Write a note").click();
    const note = page.getByRole("form", { name: "New note" });
    await note.getByLabel("Title").fill("Plan");
    await note.getByRole("textbox", { name: "Note" }).fill("First the tests.");
    await note.getByRole("button", { name: "Add the note" }).click();
    await eventually("the note is there", async () =>
      value(await daemon.client.call("list-notes", { agent: "rita" })).notes.some(({ title }) => title === "Plan"),
    );
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.edit] a schedule is set, paused, run, looked back at and removed", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.go("Schedules");
    await page.getByRole("article", { name: "Schedule of sam" }).getByRole("button", { name: "Pause" }).click();
    await page.getByRole("article", { name: "Schedule of sam" }).getByText("paused", { exact: true }).waitFor();
    const form = page.getByRole("form", { name: "New schedule" });
    await form.getByLabel("Whom to wake").selectOption("rita");
    await form.getByLabel("When").fill("2h");
    await form.getByLabel("What it is told").fill("look at it");
    await form.getByRole("button", { name: "Set" }).click();
    const card = page.getByRole("article", { name: "Schedule of rita" });
    await card.getByRole("button", { name: "Run now" }).click();
    await card.getByText("History").click();
    await card.getByRole("row", { name: /rita.*done/ }).waitFor();
    await card.getByRole("button", { name: "Remove" }).click();
    await card.getByRole("button", { name: "Really remove?" }).click();
    await card.waitFor({ state: "detached" });
    expect(value(await daemon.client.call("list-schedules", {})).schedules).toMatchObject([
      { target: "sam", paused: true },
    ]);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.edit] a rule is added, and a document is written, compared, suggested and taken back", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    await opened.go(/@review/);
    await page.getByRole("link", { name: "Rules" }).click();
    const rule = page.getByRole("form", { name: "New rule" });
    await rule.getByLabel("Name").fill("greet");
    await rule.getByLabel("That holds").fill("good morning");
    await rule.getByLabel("Say").fill("Good morning to all.");
    await rule.getByRole("button", { name: "Add" }).click();
    await page.getByRole("article", { name: "greet" }).waitFor();

    await page.getByRole("link", { name: "Documents" }).click();
    await page.getByLabel("Name of a new document").fill("plan");
    await page.getByRole("form", { name: "New document" }).getByRole("button", { name: "Add" }).click();
    const document = page.getByRole("article", { name: "plan.md" });
    await document.getByRole("button", { name: "Write something" }).click();
    const write = async (text: string): Promise<void> => {
      await page.getByLabel("Text of plan.md").fill(text);
      await page.getByRole("button", { name: "See the change" }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Save" }).waitFor({ state: "detached" });
    };
    await write("Plan\nfirst step\n");
    await document.getByRole("button", { name: "Edit", exact: true }).click();
    await write("Plan\nsecond step\n");
    await document.getByRole("button", { name: "History" }).click();
    await document.getByText(/From what you wrote .* to what you wrote last\./).waitFor();
    await document.locator(".diff-line.removed").getByText("first step").waitFor();
    await document.locator(".diff-line.added").getByText("second step").waitFor();
    await document.getByRole("button", { name: "Go back to it" }).click();
    await document.getByRole("button", { name: "Really go back to it?" }).click();
    await eventually("it is as it was", async () =>
      value(await daemon.client.call("read-document", { target: "@review", file: "plan.md" })).content.includes(
        "first",
      ),
    );
    value(
      await daemon.client.call("suggest-document", {
        target: "@review",
        file: "plan.md",
        content: "Plan\nbetter step\n",
        note: "Shorter",
      }),
    );
    const suggestions = page.getByRole("group", { name: "Suggestions" });
    await suggestions.locator(".diff-line.added").getByText("better step").waitFor();
    // Beside the document where there is room, above it on a phone.
    await page.setViewportSize({ width: 1440, height: 900 });
    const text = document.locator(".document-text");
    const boxes = async () => [await text.boundingBox(), await suggestions.boundingBox()] as const;
    await eventually("they are side by side", async () => {
      const [left, right] = await boxes();
      return left !== null && right !== null && right.x >= left.x + left.width && Math.abs(right.y - left.y) < 40;
    });
    await takePicture(page, "suggestion-desk");
    await page.setViewportSize({ width: 390, height: 844 });
    await eventually("they are one below the other", async () => {
      const [second, first] = await boxes();
      return first !== null && second !== null && second.y >= first.y + first.height;
    });
    await takePicture(page, "suggestion-phone");
    await page.setViewportSize({ width: 1200, height: 800 });
    await suggestions.getByRole("button", { name: "Accept" }).click();
    await suggestions.waitFor({ state: "detached" });
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.members] the form of a workflow adds, changes and removes members", async () => {
    await using opened = await open();
    const { page, daemon } = opened;
    const file = join(daemon.project, ".workflows/review.yaml");
    await page.evaluate(`location.hash = "#/files/.workflows%2Freview.yaml"`);
    const form = page.getByRole("form", { name: "Fields of review" });
    const member = (name: string) => form.getByRole("group", { name: `Member ${name}`, exact: true });
    await member("helper").getByLabel("System prompt").fill("You help a lot.");
    await member("cody").getByRole("button", { name: "Remove cody" }).click();
    await member("rita").getByText("What is different here").click();
    await member("rita").getByLabel("Added to its prompt").fill("Look at the tests first.");
    await form.getByRole("button", { name: "Add a member" }).click();
    await member("cody").waitFor();
    await member("cody").getByLabel("Name of the member").fill("writer");
    await member("writer").getByLabel("Who writer is").selectOption("");
    await form.getByText("writer needs a prompt, or an agent of the project that it is.").waitFor();
    await member("writer").getByLabel("System prompt").fill("You write.");
    await member("writer").getByText("Model and engine").click();
    await member("writer").getByLabel("Engine").fill("mock");
    await takePicture(page, "members-form");
    expect(await findViolations(page)).toEqual([]);
    await form.getByRole("button", { name: "See the change" }).click();
    await page.locator(".diff-line.removed").getByText("cody: { ref: cody }").waitFor();
    await page.locator(".diff-line.added").getByText("You help a lot.").waitFor();
    const before = readFileSync(file, "utf8");
    const save = page.getByRole("button", { name: "Save" });
    await eventually("it can be saved", () => save.isEnabled());
    expect(readFileSync(file, "utf8")).toBe(before);
    await save.click();
    await page.getByText(".workflows/review.yaml was written.").first().waitFor();
    const { fields } = value(await daemon.client.call("draft-workflow-file", { name: "review" }));
    const none = { prompt: null, backend: null, model: null };
    expect(fields.members).toEqual([
      { name: "rita", ref: "rita", ...none, prompt: "Look at the tests first." },
      { name: "sam", ref: "sam", ...none },
      { name: "helper", ref: null, prompt: "You help a lot.", backend: "mock", model: null },
      { name: "writer", ref: null, prompt: "You write.", backend: "mock", model: null },
    ]);
    expect(opened.complaints).toEqual([]);
  });

  test("[ui.first-run] the demo plays in the page, the doctor speaks, and consent is taken back", async () => {
    await using daemon = await startTestDaemon({ env: { AGENT_WORKER_TRUST: "" } });
    await using signedIn = await signIn(browser, daemon);
    const { page } = signedIn;
    await page.getByRole("button", { name: "Play the demo" }).click();
    await page.getByRole("heading", { name: "@review" }).waitFor();
    await page.getByRole("log").getByText("Notes are complete").first().waitFor();
    await page.getByRole("navigation", { name: "Team" }).getByRole("link", { name: "Setup" }).click();
    await page.getByText("Look at this machine, the daemon and the project").click();
    await page.locator(".findings").getByText("node", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Take the consent back" }).click();
    await page.getByRole("button", { name: "Really take the consent back?" }).click();
    await page.getByText("This project rests: you have not trusted it on this machine.").waitFor();
    expect(signedIn.complaints).toEqual([]);
  });
});
