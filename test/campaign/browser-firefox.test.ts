import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { firefox, openFirefox } from "../support/page/firefox.ts";
import { PAGE_TEAM } from "../support/page/page-team.ts";
import { keepPicture } from "../support/page/pictures.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

describe.skipIf("missing" in firefox)(
  `the web page in Firefox${"missing" in firefox ? ` (skipped: ${firefox.missing})` : ""}`,
  () => {
    test("[ui.firefox] signs in, reads, sends, approves and edits, without a complaint of the browser", async () => {
      if ("missing" in firefox) return;
      await using daemon = await startTestDaemon({ files: PAGE_TEAM });
      value(await daemon.client.serve({ workflow: "review", until: "started" }));
      await using browser = await openFirefox(firefox.path);
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
      page.on("pageerror", (error) => void complaints.push(error.message));
      await page.resize(1200, 800);

      const { url, code } = await daemon.client.openPage();
      await page.goto(`${url}#${new URLSearchParams({ code, project: daemon.project }).toString()}`);
      await page.sees("main h1", "Overview");
      expect(page.url()).not.toContain(code);

      // An answer is seen while it is written, also by a page that was loaded in the middle of it.
      await page.evaluate("location.hash = '#/channel/%40review%3Amain'");
      await page.write("#composer", "@rita take your time");
      await page.click("button", "Send");
      await page.sees(".draft", "Thinking about it");
      await page.reload();
      await page.sees(".draft", "Thinking about it");

      await page.write("#composer", "@rita look at it, please");
      await page.click("button", "Send");
      await page.sees(".prose", "one element too many");

      // A card in the channel is decided.
      value(await daemon.client.call("send-message", { to: "@review", message: "@cody run the tests" }));
      await page.sees(".decision", "printf made >> made.txt");
      // A card that has just appeared ignores the pointer for a moment.
      await page.sees(".decision [role=group][aria-disabled=false]");
      await page.click(".decision button", "Approve");
      await eventually("it was approved", async () => {
        const { approvals } = value(await daemon.client.call("list-approvals", { state: "approved" }));
        return approvals.length === 1;
      });
      keepPicture("channel-firefox", await page.screenshot());

      // An agent is edited with the form; the file says so.
      await page.evaluate("location.hash = '#/files/.agents%2Frita.yaml'");
      await page.write(".field-group + .field-group input", "careful reviewer");
      await page.click("button", "See the change");
      await page.sees(".diff-line.added", "careful reviewer");
      await page.click("button", "Save");
      await eventually("it is written", async () =>
        readFileSync(join(daemon.project, ".agents/rita.yaml"), "utf8").includes("careful reviewer"),
      );

      await page.resize(390, 844);
      for (const address of ["#/", "#/decisions", "#/channel/%40review%3Amain", "#/team", "#/usage", "#/setup"]) {
        await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
        await page.sees("main h1");
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), address).toBeLessThanOrEqual(
          0,
        );
      }
      expect(complaints).toEqual([]);
    }, 180_000);
  },
);
