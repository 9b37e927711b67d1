import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import { browserInstalled, openBrowser, type Browser } from "../support/page/browser.ts";
import { takePicture } from "../support/page/pictures.ts";
import { signIn } from "../support/page/sign-in.ts";
import { startServer, type TestServer } from "../support/postgres/server.ts";
import { value } from "../support/result.ts";
import { agentFile } from "../support/team/team.ts";

const FILES = {
  ...agentFile("alice", "model: scripts/alice.yaml\nruns_on: { node: right }\n"),
  "scripts/alice.yaml":
    "- repeat: true\n  steps:\n    - { say: One word after another from the other node., pace: 400ms }\n",
};

let browser: Browser & AsyncDisposable;
let server: TestServer;

function startNode(url: string, name: string): Promise<TestDaemon> {
  const schema = new URL(url).searchParams.get("schema") ?? "";
  return startTestDaemon({
    files: { ...FILES, "moniro.yaml": `store: { url: $DATABASE_URL, schema: ${schema} }\n` },
    env: { DATABASE_URL: url.replace(/\?.*/, ""), AGENT_WORKER_NODE: name },
  });
}

describe.skipIf(!browserInstalled)("several nodes on the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), startServer()]);
  }, 90_000);
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  test("[ui.nodes] the page lists the nodes and who works where, and streams what another node writes", async () => {
    const url = server.freshUrl();
    await using left = await startNode(url, "left");
    value(await left.client.call("list-agents", {}));
    await using right = await startNode(url, "right");
    value(await right.client.call("list-agents", {}));
    await using signedIn = await signIn(browser, left);
    const { page } = signedIn;
    await page.evaluate("location.hash = '#/channel/alice'");
    await page.locator("#composer").fill("hello over there");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".draft").getByText("One word after").waitFor();
    await page.evaluate("location.hash = '#/team'");
    const nodes = page.getByRole("region", { name: "Nodes" });
    await nodes.getByRole("row", { name: /left this one.*live/ }).waitFor();
    await nodes.getByRole("row", { name: /right.*live/ }).waitFor();
    await takePicture(page, "nodes-desk-light");
    await page.evaluate("location.hash = '#/channel/alice'");
    await page.getByRole("log").getByText("One word after another from the other node.").first().waitFor();
    expect(signedIn.complaints).toEqual([]);
  }, 120_000);
});
