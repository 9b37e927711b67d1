import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import { attack } from "../support/security/attack.ts";
import { askWith, openPageBrowser, provedToken, type PageBrowser } from "../support/security/page-browser.ts";

const TEAM = { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n" };

/** Another program of this machine that a browser visits. It keeps the headers of what it is sent. */
async function startThief(
  port = 0,
): Promise<{ readonly url: string; readonly got: IncomingHttpHeaders[] } & AsyncDisposable> {
  const got: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    got.push(request.headers);
    response.writeHead(401, { "x-agent-worker-challenge": "a-challenge-of-the-thief", connection: "close" });
    response.end("{}");
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    got,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

let daemon: TestDaemon;
let victim: PageBrowser;
let other: PageBrowser;
beforeAll(async () => {
  daemon = await startTestDaemon({ files: TEAM });
  [victim, other] = [openPageBrowser(), openPageBrowser()];
  await victim.signIn(daemon);
  await other.signIn(daemon);
});
afterAll(() => daemon[Symbol.asyncDispose]());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const host = () => new URL(daemon.url).host;
const own = () => victim.stored(daemon.url);

/** Each with something that a thief has and lacks. */
const THEFTS: readonly (readonly [string, () => Record<string, string>])[] = [
  ["the cookie alone", () => ({ cookie: victim.cookies() })],
  ["the cookie as a token", () => ({ cookie: victim.cookies(), ...bearer(victim.cookies().split("=")[1] ?? "") })],
  [
    "the cookie and a guessed proof",
    () => ({ cookie: victim.cookies(), ...bearer(`awu_${"0".repeat(64)}.${own().session}`) }),
  ],
  ["the cookie and an empty proof", () => ({ cookie: victim.cookies(), ...bearer(`awu_.${own().session}`) })],
  ["the cookie and the key as it is", () => ({ cookie: victim.cookies(), ...bearer(own().key) })],
  ["a page's proof without its cookie", () => bearer(provedToken(own(), host()))],
  [
    "a page's proof with the cookie of another browser",
    () => ({ cookie: other.cookies(), ...bearer(provedToken(own(), host())) }),
  ],
  [
    "a proof that was made for another port",
    () => ({ cookie: victim.cookies(), ...bearer(provedToken(own(), "127.0.0.1:1")) }),
  ],
  [
    "a proof that was made for another name of this machine",
    () => ({ cookie: victim.cookies(), ...bearer(provedToken(own(), host().replace("127.0.0.1", "localhost"))) }),
  ],
  [
    "a proof for a challenge of the thief",
    () => ({ cookie: victim.cookies(), ...bearer(provedToken({ ...own(), challenge: "mine" }, host())) }),
  ],
  [
    "the cookie under the name of another port",
    () => ({ cookie: victim.cookies().replace(/-\d+=/, "-1="), ...bearer(provedToken(own(), host())) }),
  ],
  [
    "both halves, and the id of another session",
    () => ({
      cookie: victim.cookies(),
      ...bearer(provedToken({ ...own(), session: other.stored(daemon.url).session }, host())),
    }),
  ],
];

for (const [loot, headers] of THEFTS) {
  attack(`a thief signs in with ${loot} [sessions.two-halves]`, async () => {
    expect((await askWith(`${daemon.url}/agents`, headers())).status).toBe(401);
    expect((await askWith(`${daemon.url}/ui/sessions`, headers(), "DELETE")).status).toBe(401);
    const real = { cookie: victim.cookies(), ...bearer(provedToken(own(), host())) };
    expect((await askWith(`${daemon.url}/agents`, real)).status).toBe(200);
  });
}

for (const [from, headers] of [
  ["a page on another port", { origin: "http://127.0.0.1:1" }],
  ["a page on another port that sends no origin", { "sec-fetch-site": "same-site" }],
  ["a page of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["a page in a sandbox", { origin: "null" }],
] as const) {
  attack(`${from} acts with both halves of a session [sessions.two-halves]`, async () => {
    const asked = await victim.ask(daemon.url, "POST", "/send", { headers, body: { to: "alice", message: "hello" } });
    expect(asked.status).toBe(403);
    expect((await victim.ask(daemon.url, "DELETE", "/ui/sessions", { headers })).status).toBe(403);
    expect((await victim.ask(daemon.url, "GET", "/agents")).status).toBe(200);
  });
}

attack(
  "a script of the page reads the cookie, or another site makes the browser send it [sessions.cookie]",
  async () => {
    const { port } = new URL(daemon.url);
    const { headers } = await openPageBrowser().signIn(daemon);
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(
        new RegExp(`^agent-worker-${port}=aws_[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800$`),
      ),
    ]);
  },
);

attack("a program on another port uses the cookie that browsers send it [sessions.two-halves]", async () => {
  await using thief = await startThief();
  await victim.ask(thief.url, "GET", "/");
  const [got] = thief.got;
  expect(got?.cookie).toContain("aws_");
  const loot = { cookie: got?.cookie ?? "", authorization: got?.authorization ?? "" };
  expect((await askWith(`${daemon.url}/agents`, loot)).status).toBe(401);
  expect((await victim.ask(daemon.url, "GET", "/agents")).status).toBe(200);
});

attack(
  "a program takes the daemon's port for a while, and replays what open tabs sent it [sessions.two-halves]",
  async () => {
    await using first = await startTestDaemon({ files: TEAM });
    const browser = openPageBrowser();
    await browser.signIn(first);
    await first.stop();
    const port = Number(new URL(first.url).port);
    const thief = await startThief(port);
    expect((await browser.ask(first.url, "GET", "/events")).status).toBe(401);
    await thief[Symbol.asyncDispose]();
    expect(thief.got.length).toBe(2);
    await using next = await first.restart({ env: { AGENT_WORKER_PORT: String(port) } });
    for (const { cookie = "", authorization = "" } of thief.got) {
      expect((await askWith(`${next.url}/agents`, { cookie, authorization })).status).toBe(401);
    }
    expect((await browser.ask(next.url, "GET", "/agents")).status).toBe(200);
  },
);

attack("a second daemon on another port overwrites the cookie of the first [sessions.cookie]", async () => {
  await using second = await startTestDaemon({ files: TEAM });
  const browser = openPageBrowser();
  await browser.signIn(daemon);
  await browser.signIn(second);
  for (const { url } of [daemon, second]) expect((await browser.ask(url, "GET", "/agents")).status).toBe(200);
  await browser.ask(second.url, "DELETE", "/ui/sessions");
  expect((await browser.ask(second.url, "GET", "/agents")).status).toBe(401);
  expect((await browser.ask(daemon.url, "GET", "/agents")).status).toBe(200);
});

attack(
  "a program on another port sets a cookie of the same name, so that the browser's is not found [sessions.cookie]",
  async () => {
    const [name = ""] = victim.cookies().split("=");
    for (const cookie of [
      `${name}=x; ${victim.cookies()}`,
      `${victim.cookies()}; ${name}=x`,
      `a=b;${victim.cookies()}`,
    ]) {
      const asked = await victim.ask(daemon.url, "GET", "/agents", { headers: { cookie } });
      expect([cookie, asked.status]).toEqual([cookie, 200]);
    }
  },
);

attack("a browser that signs in again leaves its old session behind for whoever has it [sessions.listed]", async () => {
  const browser = openPageBrowser();
  await browser.signIn(daemon);
  const [cookie, old] = [browser.cookies(), browser.stored(daemon.url)];
  const loot = { cookie, ...bearer(provedToken(old, host())) };
  expect((await askWith(`${daemon.url}/agents`, loot)).status).toBe(200);
  await browser.signIn(daemon);
  expect((await askWith(`${daemon.url}/agents`, loot)).status).toBe(401);
  expect((await browser.ask(daemon.url, "GET", "/agents")).status).toBe(200);
});
