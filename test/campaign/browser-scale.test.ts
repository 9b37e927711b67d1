import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok } from "../../src/kernel/result.ts";
import { message } from "../../src/testing/store-conformance/records.ts";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import {
  browserInstalled,
  openBrowser,
  type Browser,
  type BrowserPage,
  type BrowserRequest,
} from "../support/page/browser.ts";
import { openPageOf } from "../support/page/open-page.ts";
import { value } from "../support/result.ts";
import { openStoreFile } from "../support/store/sqlite-store.ts";
import { eventually } from "../support/team/running-project.ts";

const [MESSAGES, AGENTS, WORKSPACES] = [100_000, 500, 200];
const MOST_ELEMENTS = 2_000;
const FIRST_PAINT_BYTES = 150 * 1024;
const WHOLE_PAGE_BYTES = 300 * 1024;

const name = (at: number): string => `agent-${String(at).padStart(3, "0")}`;

function largeTeam(): Record<string, string> {
  const agents = Array.from({ length: AGENTS }, (_, at) => name(at));
  const members = agents.slice(0, 60).map((each) => `  ${each}: { ref: ${each} }\n`);
  return {
    ...Object.fromEntries(
      agents.map((each) => [
        `.agents/${each}.yaml`,
        `name: ${each}\nbackend: mock\nprompt: { system: You are ${each}. }\n`,
      ]),
    ),
    ".workflows/review.yaml": `name: review\nagents:\n${members.join("")}`,
    ".workflows/small.yaml": `name: small\nagents:\n  ${name(0)}: { ref: ${name(0)} }\n`,
  };
}

/** Starts a daemon with everything, and fills one channel while it is stopped. */
async function startLargeDaemon(): Promise<TestDaemon> {
  const first = await startTestDaemon({ files: largeTeam() });
  value(await first.client.serve({ workflow: "review", until: "started" }));
  for (let at = 1; at < WORKSPACES; at += 1) {
    value(await first.client.serve({ workflow: "small", tag: `tag-${at}`, until: "started" }));
  }
  await first.stop("SIGTERM");
  const store = openStoreFile(join(first.project, ".workspace/agent-worker.db"));
  await store.transact(async ({ messages }) => {
    for (let at = 1; at <= MESSAGES; at += 1) {
      const body = at === 50_000 ? "the needle in the hay" : `Message number ${at} says that things go on as they are.`;
      const sender = at % 3 === 0 ? "user" : name(at % 20);
      await messages.append(message(`msg_large_${at}`, { body, sender, createdAt: Date.now() - MESSAGES + at }), null);
    }
    return ok(undefined);
  });
  await store[Symbol.asyncDispose]();
  return first.restart();
}

/** Returns how many bytes the files of the page have on their way, as a browser asks for them. */
async function compressedBytes(origin: string, requests: readonly BrowserRequest[]): Promise<number> {
  const files = requests.map((request) => new URL(request.url()).pathname).filter((path) => path.startsWith("/ui/"));
  let sum = 0;
  for (const path of ["/", ...new Set(files.filter((file) => file !== "/ui/sessions"))]) {
    const response = await fetch(`${origin}${path}`, { headers: { "accept-encoding": "br" } });
    expect(response.ok, path).toBe(true);
    sum += Number(response.headers.get("content-length"));
  }
  return sum;
}

const countElements = (page: BrowserPage): Promise<number> => page.evaluate(`document.querySelectorAll("*").length`);

let browser: Browser & AsyncDisposable;

describe.skipIf(!browserInstalled)("a large team on the page (npm ci --prefix test/browser)", () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser[Symbol.asyncDispose]());

  test("[ui.scale] 100,000 messages, 500 agents and 200 workspaces stay light", { timeout: 180_000 }, async () => {
    await using opened = await openPageOf(browser, await startLargeDaemon());
    const { page, requests } = opened;
    const report: string[] = [];
    const nav = page.getByRole("navigation", { name: "Team" });
    await nav.getByRole("link", { name: /@review/ }).waitFor();
    await eventually("the team is there", async () => (await nav.locator("li").count()) > 20);
    const bytes = await compressedBytes(opened.daemon.url, requests);
    report.push(
      `page ${(bytes / 1024).toFixed(1)} KB compressed, ${requests.length} requests until the overview is complete`,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(FIRST_PAINT_BYTES);
    expect(bytes).toBeLessThan(WHOLE_PAGE_BYTES);
    expect(requests.length).toBeLessThan(30);
    const views: [string, number][] = [["overview", await countElements(page)]];

    await opened.go(/@review/);
    const log = page.getByRole("log");
    await log.getByText(`Message number ${MESSAGES} says`).waitFor();
    views.push(["channel", await countElements(page)]);
    for (let times = 0; times < 6; times += 1) {
      const first = await log.locator("[data-row]").first().getAttribute("data-row");
      // Again and again, as a person scrolls: the page may just be showing what came before.
      await eventually("earlier messages come", async () => {
        await page.evaluate(`document.querySelector("[role=log]").scrollTop = 0`);
        return (await log.locator("[data-row]").first().getAttribute("data-row")) !== first;
      });
    }
    views.push(["channel, scrolled up", await countElements(page)]);

    const typing = (await page.evaluate<number[]>(TYPE)).toSorted((a, b) => a - b);
    report.push(
      `typing, until the page is laid out again: ${(typing[20] ?? 0).toFixed(1)} ms in the middle, ${(typing[37] ?? 0).toFixed(1)} ms for 19 of 20 keys`,
    );

    const times: number[] = [];
    for (let before: number | null | undefined; before !== null;) {
      const from = performance.now();
      const part = value(
        await opened.daemon.client.call("search", {
          text: "in no message",
          ...(before === undefined ? {} : { before }),
        }),
      );
      times.push(performance.now() - from);
      before = part.next;
    }
    expect(times.length).toBeLessThanOrEqual(7);
    report.push(
      `search through everything: ${times.length} requests, ${times.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`,
    );

    // The whole store is searched a part at a time.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("needle");
    const found = page.getByRole("listbox", { name: "Found" });
    await eventually("it is found", async () => {
      if ((await found.getByText("the needle in the hay").count()) > 0) return true;
      const more = found.getByText("Look at earlier messages");
      if ((await more.count()) > 0) await more.click();
      return false;
    });
    await found.getByText("the needle in the hay").click();
    await log.locator(".message.named").getByText("the needle in the hay").waitFor();
    views.push(["a message of long ago", await countElements(page)]);
    await page.keyboard.press("Control+k");
    await page.keyboard.type(name(AGENTS - 1));
    await found.getByRole("option", { name: name(AGENTS - 1), exact: true }).click();
    await page.getByText(`Say hello to ${name(AGENTS - 1)}.`).waitFor();
    // Where one is, is in sight among hundreds, also with the keyboard alone.
    const here = nav.locator("[aria-current=page]");
    const isInSight = async (): Promise<boolean> => {
      const [row, frame] = [await here.first().boundingBox(), await nav.boundingBox()];
      return row !== null && frame !== null && row.y >= frame.y && row.y + row.height <= frame.y + frame.height + 1;
    };
    await eventually("the last agent is in sight", isInSight);
    await page.keyboard.press("Alt+ArrowDown");
    await log
      .getByText(/says that things go on/)
      .first()
      .waitFor();
    await eventually("the first workspace is in sight", isInSight);
    for (const [view, heading] of [
      ["Runs", "Runs"],
      ["Team", "Team"],
      ["Usage", "Usage"],
      ["Decisions", "Decisions"],
    ] as const) {
      await opened.go(view);
      await page.getByRole("heading", { name: heading, exact: true }).waitFor();
      views.push([view.toLowerCase(), await countElements(page)]);
    }
    report.push(...views.map(([view, count]) => `${view}: ${count} elements`));
    console.log(
      `browser-scale: ${MESSAGES} messages, ${AGENTS} agents, ${WORKSPACES} workspaces\n  ${report.join("\n  ")}`,
    );
    for (const [view, count] of views) expect(count, view).toBeLessThan(MOST_ELEMENTS);
    expect(opened.complaints).toEqual([]);
  });
});

/** Types into the field for messages, and returns how long each key took until the page was laid out again. */
const TYPE = `(async () => {
  const field = document.getElementById("composer");
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set;
  const times = [];
  for (let at = 1; at <= 40; at += 1) {
    const from = performance.now();
    set.call(field, "x".repeat(at));
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await Promise.resolve();
    document.body.getBoundingClientRect();
    times.push(performance.now() - from);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  set.call(field, "");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return times;
})()`;
