import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { PageSessionListView } from "../../../src/contract/service/page.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { runInstalled, type Answer } from "../../support/daemon/installed-command.ts";
import { PAGE_TEAM } from "../../support/page/page-team.ts";
import { value } from "../../support/result.ts";
import { attack } from "../../support/security/attack.ts";
import { openPageBrowser, provedToken, type PageBrowser } from "../../support/security/page-browser.ts";
import { eventually } from "../../support/team/running-project.ts";

const mock = (name: string) => ({
  [`.agents/${name}.yaml`]: `name: ${name}\nbackend: mock\nprompt: { system: You are ${name}. }\n`,
});

/** One after the other: an attack that ends the daemon leaves the next one of the same home and port. */
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ files: { ...PAGE_TEAM, ...mock("alice"), ...mock("bob") } });
});
beforeEach(async () => void value(await daemon.client.endPageSession("all")));
afterAll(() => daemon?.[Symbol.asyncDispose]());

/** The address stays the same, as with a port that the user has configured. */
async function startAgain(): Promise<void> {
  daemon.client[Symbol.dispose]();
  daemon = await daemon.restart({ env: { AGENT_WORKER_PORT: new URL(daemon.url).port } });
}

const run = (args: readonly string[]): Promise<Answer> => runInstalled(args, { cwd: daemon.project, env: daemon.env });

async function json(args: readonly string[]): Promise<unknown> {
  const answer = await run([...args, "--json"]);
  expect(answer, args.join(" ")).toMatchObject({ exit: 0, err: "" });
  return JSON.parse(answer.out);
}

/** Returns the id of the message. */
const say = async (message: string): Promise<string> =>
  value(await daemon.client.call("send-message", { to: "alice", message })).id;

/** A stream of the browser that is open and has seen a message. */
async function watch(browser: PageBrowser, message: string) {
  const stream = await browser.stream(daemon.url);
  await eventually("the stream has begun", () => stream.text().includes("event: snapshot"));
  const id = await say(message);
  await eventually("the stream shows what is said", () => stream.text().includes(id));
  return stream;
}

interface Ending {
  readonly by: string;
  readonly end: (browser: PageBrowser, code: string) => Promise<unknown>;
}

const ENDINGS: readonly Ending[] = [
  { by: "signed out in another tab", end: (browser) => browser.ask(daemon.url, "DELETE", "/ui/sessions") },
  {
    by: "revoked by the command",
    end: (browser) => json(["ui", "revoke", browser.stored(daemon.url).session]),
  },
  { by: "revoked with all the others", end: () => json(["ui", "revoke", "--all"]) },
  {
    by: "signed in with a code that is used a second time",
    end: (_browser, code) => openPageBrowser().enter(daemon.url, code),
  },
];

for (const { by, end } of ENDINGS) {
  attack(`a browser that was ${by} goes on reading what the team says [sessions.revoked-streams]`, async () => {
    const browser = openPageBrowser();
    const { code } = await daemon.client.openPage();
    await browser.enter(daemon.url, code);
    const stream = await watch(browser, "before");
    await end(browser, code);
    const seen = stream.text();
    for (const message of ["after", "and later"]) await say(message);
    await stream.ended;
    expect(stream.text()).toBe(seen);
    expect((await browser.ask(daemon.url, "GET", "/agents")).status).toBe(401);
    expect((await daemon.fetch("/agents")).status).toBe(200);
  });
}

attack("a revoked browser goes on watching the work it has asked for [sessions.revoked-streams]", async () => {
  const browser = openPageBrowser();
  await browser.signIn(daemon);
  const stream = await browser.stream(daemon.url, "/run", { body: { agent: "rita", message: "take your time" } });
  await eventually("the work has begun", () => stream.text().includes("event: "));
  await json(["ui", "revoke", "--all"]);
  await stream.ended;
  expect(stream.text()).not.toContain("event: done");
});

attack("a revoked browser ends the request that it had begun to send [sessions.revoked-streams]", async () => {
  const browser = openPageBrowser();
  await browser.signIn(daemon);
  const { host, hostname, port } = new URL(daemon.url);
  const body = JSON.stringify({ to: "bob", message: "sent after all" });
  const session = `authorization: Bearer ${provedToken(browser.stored(daemon.url), host)}\r\ncookie: ${browser.cookies()}`;
  const headOf = (line: string): string => `${line} HTTP/1.1\r\nhost: ${host}\r\n${session}\r\n`;
  // The first request shows that the connection is the browser's; the second one is cut in the middle.
  const socket = connect(Number(port), hostname).on("error", () => {});
  const closed = once(socket, "close");
  socket.write(`${headOf("GET /agents")}\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  const typed = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(`${headOf("POST /send")}${typed}${body.slice(0, 9)}`);
  await eventually("the daemon waits for the rest", async () => {
    const { sessions } = (await json(["ui", "list"])) as PageSessionListView;
    return sessions[0]?.open === 1;
  });
  await json(["ui", "revoke", "--all"]);
  socket.write(body.slice(9));
  await closed;
  const { messages } = value(await daemon.client.call("peek-channel", { target: "bob" }));
  expect(messages).toEqual([]);
});

attack("revoking the browsers also cuts off the owner, so that nobody revokes [sessions.revoked-streams]", async () => {
  const browsers = [openPageBrowser(), openPageBrowser()] as const;
  for (const browser of browsers) await browser.signIn(daemon);
  const [kept, ended] = [await watch(browsers[0], "one"), await watch(browsers[1], "two")];
  await json(["ui", "revoke", browsers[1].stored(daemon.url).session]);
  await ended.ended;
  const id = await say("three");
  await eventually("the other browser still sees it", () => kept.text().includes(id));
  expect(kept.isOpen()).toBe(true);
  kept.close();
});

for (const [how, signal] of [
  ["restarted", "SIGTERM"],
  ["killed and started again", "SIGKILL"],
] as const) {
  attack(`the daemon is ${how}, so that every tab loses its session [sessions.survive]`, async () => {
    const browser = openPageBrowser();
    await browser.signIn(daemon);
    await daemon.stop(signal);
    await startAgain();
    // A tab that was open, and a new one from a bookmark: both have what the browser has stored for the origin.
    for (const tab of [1, 2]) {
      const asked = await browser.ask(daemon.url, "GET", "/agents");
      expect([tab, asked.status]).toEqual([tab, 200]);
    }
  });
}

attack("a revoked browser comes back after the daemon was killed and restarted [sessions.survive]", async () => {
  const [revoked, kept] = [openPageBrowser(), openPageBrowser()];
  await revoked.signIn(daemon);
  await kept.signIn(daemon);
  await json(["ui", "revoke", revoked.stored(daemon.url).session]);
  await daemon.stop("SIGKILL");
  await startAgain();
  expect((await revoked.ask(daemon.url, "GET", "/agents")).status).toBe(401);
  expect((await kept.ask(daemon.url, "GET", "/agents")).status).toBe(200);
});

attack("a code is used a second time after the daemon was killed and restarted [sessions.survive]", async () => {
  const [first, other] = [openPageBrowser(), openPageBrowser()];
  const { code } = await daemon.client.openPage();
  await first.enter(daemon.url, code);
  await other.signIn(daemon);
  expect(readFileSync(join(daemon.home, "page-sessions.json"), "utf8")).not.toContain(code);
  await daemon.stop("SIGKILL");
  await startAgain();
  expect((await first.ask(daemon.url, "GET", "/agents")).status).toBe(200);
  await openPageBrowser().enter(daemon.url, code);
  expect((await first.ask(daemon.url, "GET", "/agents")).status).toBe(401);
  expect((await other.ask(daemon.url, "GET", "/agents")).status).toBe(200);
});

attack(
  "a program waits on the port for the daemon's browsers, and uses what they store there [sessions.survive]",
  async () => {
    const browser = openPageBrowser();
    await browser.signIn(daemon);
    await daemon.stop();
    const port = Number(new URL(daemon.url).port);
    const taker = createServer().listen(port, "127.0.0.1");
    await eventually("the port is taken", () => taker.listening);
    await expect(startAgain()).rejects.toThrow("taken by another program");
    taker.close();
    await startAgain();
    expect((await browser.ask(daemon.url, "GET", "/agents")).status).toBe(401);
  },
);

attack("the file of the sessions is read, and used to sign in [sessions.stored]", async () => {
  const browser = openPageBrowser();
  await browser.signIn(daemon);
  const path = join(daemon.home, "page-sessions.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, "utf8");
  const [, secret = ""] = browser.cookies().split("=");
  expect(secret).toMatch(/^aws_[\w-]{43}$/);
  expect(text).not.toContain(secret);
  const [stored] = (JSON.parse(text) as { sessions: { id: string; key: string; secretHash: string }[] }).sessions;
  expect(stored?.id).toBe(browser.stored(daemon.url).session);
  const name = `agent-worker-${new URL(daemon.url).port}`;
  for (const cookie of ["", `${name}=`, `${name}=${stored?.secretHash}`, `${name}=${stored?.key}`]) {
    const asked = await browser.ask(daemon.url, "GET", "/agents", { headers: { cookie } });
    expect([cookie, asked.status]).toEqual([cookie, 401]);
  }
  expect((await browser.ask(daemon.url, "GET", "/agents")).status).toBe(200);
});

for (const [what, content] of [
  ["is no JSON", "{"],
  ["has other fields", '{"sessions":[{"id":"x"}]}'],
  ["is a list", "[]"],
] as const) {
  attack(`a file of the sessions that ${what} keeps the daemon from starting [sessions.stored]`, async () => {
    const browser = openPageBrowser();
    await browser.signIn(daemon);
    await daemon.stop("SIGKILL");
    writeFileSync(join(daemon.home, "page-sessions.json"), content);
    await startAgain();
    expect((await browser.ask(daemon.url, "GET", "/agents")).status).toBe(401);
    await browser.signIn(daemon);
    expect((await browser.ask(daemon.url, "GET", "/agents")).status).toBe(200);
  });
}

attack("a browser calls itself what controls the terminal that lists it [sessions.listed]", async () => {
  const browser = openPageBrowser(`evil\u009b2J\u009d0;owned ${"x".repeat(4_000)}`);
  await browser.signIn(daemon);
  const { sessions } = (await json(["ui", "list"])) as PageSessionListView;
  expect(sessions).toMatchObject([{ id: browser.stored(daemon.url).session, open: 0 }]);
  expect(sessions[0]?.browser).toMatch(/^[\x20-\x7e]{1,200}$/);
  const { out } = await run(["ui", "list"]);
  expect(out).toContain("evil?2J?0;owned");
  expect(out).not.toMatch(/[^\x20-\x7e\n…]/);
});

attack("a browser stays signed in unseen: it is in no list and cannot be named [sessions.listed]", async () => {
  expect(await json(["ui", "list"])).toEqual({ sessions: [] });
  const browser = openPageBrowser("Test/2.0");
  await browser.signIn(daemon);
  const stream = await watch(browser, "hello");
  const { sessions } = (await json(["ui", "list"])) as PageSessionListView;
  expect(sessions).toMatchObject([{ browser: "Test/2.0", open: 1 }]);
  const hours = (Date.parse(sessions[0]?.endsAt ?? "") - Date.parse(sessions[0]?.lastUsedAt ?? "")) / 3_600_000;
  expect(hours).toBe(12);
  expect(await run(["ui", "revoke", "0000000000000000"])).toMatchObject({ exit: 3, out: "" });
  expect(await run(["ui", "revoke"])).toMatchObject({ exit: 2, out: "" });
  expect(await run(["ui", "revoke", "--all", "x"])).toMatchObject({ exit: 2, out: "" });
  expect(await json(["ui", "revoke", sessions[0]?.id ?? ""])).toEqual({ ended: [sessions[0]?.id] });
  await stream.ended;
  expect(await json(["ui", "list"])).toEqual({ sessions: [] });
});
