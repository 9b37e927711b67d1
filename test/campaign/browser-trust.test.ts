import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";

let browser: Browser & AsyncDisposable;

describe.skipIf(!browserInstalled)("trust on the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[trust.page] a project at rest says so, shows what it could do, and goes to work after one click", async () => {
    await using daemon = await startTestDaemon({
      env: { AGENT_WORKER_TRUST: "" },
      files: {
        ".agents/ann.yaml": "backend: mock\nprompt: { system: Hello. }\npermissions: { mode: host, allow: [bash] }\n",
      },
    });
    const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
    const page = await context.newPage();
    const { url, code } = await daemon.client.openPage();
    await page.goto(`${url}#${new URLSearchParams({ code, project: daemon.project }).toString()}`);
    const banner = page.getByRole("region", { name: "Trust" });
    await banner.getByText("This project rests: you have not trusted it on this machine.").waitFor();
    expect(await daemon.client.call("send-message", { to: "ann", message: "hello" })).toMatchObject({ ok: false });
    await banner.getByRole("button", { name: /See \d+ things it could do/ }).click();
    await banner.getByText("call bash without asking").waitFor();
    await banner.getByRole("button", { name: "Let it do this" }).click();
    await banner.waitFor({ state: "detached" });
    expect(await daemon.client.call("send-message", { to: "ann", message: "hello" })).toMatchObject({ ok: true });

    // A file that gives the agent more is asked about in the same place, with nothing but the difference.
    daemon.write(
      ".agents/ann.yaml",
      "backend: mock\nprompt: { system: Hello. }\npermissions: { mode: host, allow: [bash, write_file] }\n",
    );
    await banner.getByText("it can do more now than you have allowed").waitFor();
    await banner.getByRole("button", { name: /See 1 thing it could do/ }).click();
    await banner.getByText("call write_file without asking").waitFor();
    await context.close();
  });
});
