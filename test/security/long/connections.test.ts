import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { value } from "../../support/result.ts";
import { attack } from "../../support/security/attack.ts";
import { openPageBrowser } from "../../support/security/page-browser.ts";
import { eventually } from "../../support/team/running-project.ts";

const TEAM = { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n" };

/** Bytes as they are; resolves with what came back when the connection ends. */
function raw(url: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.setEncoding("latin1").on("data", (chunk) => (text += String(chunk)));
    socket.on("error", () => {}).on("close", () => resolve(text));
  });
}

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: TEAM });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const REPEATED: readonly (readonly [string, (host: string, token: string) => readonly string[]])[] = [
  ["ours and then a foreign Host", (host) => [`host: ${host}`, "host: evil.example"]],
  ["a foreign and then our Host", (host) => ["host: evil.example", `host: ${host}`]],
  ["our Host twice", (host) => [`host: ${host}`, `Host: ${host}`]],
  ["our Host and an empty one", (host) => [`HOST: ${host}`, "host:"]],
  ["two Hosts far apart", (host) => [`host: ${host}`, ...Array.from({ length: 30 }, (_, i) => `x-${i}: x`), "host: x"]],
  [
    "our origin and a foreign one",
    (host) => [`host: ${host}`, `origin: http://${host}`, "origin: https://evil.example"],
  ],
  [
    "two tokens, the first one wrong",
    (host, token) => [`host: ${host}`, "authorization: Bearer x", `authorization: Bearer ${token}`],
  ],
  ["two sites it comes from", (host) => [`host: ${host}`, "sec-fetch-site: same-origin", "sec-fetch-site: cross-site"]],
  ["two projects", (host) => [`host: ${host}`, "x-agent-worker-project: /one", "x-agent-worker-project: /two"]],
];

for (const [what, headers] of REPEATED) {
  attack(
    `a request has ${what}, so that a proxy and the daemon decide by different ones [connections.one-host]`,
    async () => {
      const lines = headers(new URL(daemon.url).host, daemon.token);
      const token = lines.some((line) => line.startsWith("authorization"))
        ? []
        : [`authorization: Bearer ${daemon.token}`];
      for (const target of ["GET /health", "GET /agents", "GET /nowhere", "POST /ui/codes", "GET /events"]) {
        const head = [`${target} HTTP/1.1`, ...lines, ...token, "connection: close", "", ""].join("\r\n");
        expect([target, (await raw(daemon.url, head)).slice(0, 12)]).toEqual([target, "HTTP/1.1 400"]);
      }
      expect((await daemon.fetch("/agents")).status).toBe(200);
    },
  );
}

/** Opens connections and opens each again that is closed, until it is disposed. */
function flood(url: string, count: number, bytes: string): Disposable & { opened(): number } {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let opened = 0;
  let over = false;
  const open = (): void => {
    if (over) return;
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on("connect", () => {
      opened += 1;
      socket.write(bytes);
    });
    socket
      .on("error", () => {})
      .on("close", () => {
        sockets.delete(socket);
        setImmediate(open);
      });
    socket.resume();
  };
  for (let i = 0; i < count; i += 1) open();
  return {
    opened: () => opened,
    [Symbol.dispose]() {
      over = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Less than the time after which the daemon gives up on a head that does not come. */
const PATIENCE_MS = 7_000;
const FLOOD = 700;
const OPEN_FILES = 512;

const FLOODS: readonly (readonly [string, string])[] = [
  ["say nothing", ""],
  ["never end the head of a request", "GET /agents HTTP/1.1\r\nx-slow: "],
  ["ask what anyone may ask, and stay", "GET /health HTTP/1.1\r\nhost: HOST\r\n\r\n"],
  [
    "send a wrong token and a body that never ends",
    "POST /send HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{",
  ],
];

for (const [what, bytes] of FLOODS) {
  attack(
    `${FLOOD} connections that ${what} keep the owner out [connections.flood]`,
    async () => {
      await using flooded = await startCommandedDaemon({ files: TEAM, openFiles: OPEN_FILES });
      const browser = openPageBrowser();
      await browser.signIn(flooded);
      const stream = await browser.stream(flooded.url);
      await eventually("the stream has begun", () => stream.text().includes("event: snapshot"));
      using connections = flood(flooded.url, FLOOD, bytes.replace("HOST", new URL(flooded.url).host));
      await eventually("the flood is there", () => connections.opened() >= FLOOD);

      const asked = await flooded.fetch("/agents", { signal: AbortSignal.timeout(PATIENCE_MS) });
      expect(asked.status).toBe(200);
      const before = Date.now();
      expect(await flooded.run(["send", "alice", "hello"])).toMatchObject({ exit: 0, err: "" });
      expect(Date.now() - before).toBeLessThan(PATIENCE_MS);
      await eventually("a stream that was open goes on", () => stream.text().includes('"type":"message'));
      expect(stream.isOpen()).toBe(true);
      stream.close();
    },
    60_000,
  );
}

attack("the client's own idle connection is the oldest, and is closed for others [connections.flood]", async () => {
  await using flooded = await startCommandedDaemon({ files: TEAM, openFiles: OPEN_FILES });
  const { port, hostname, host } = new URL(flooded.url);
  const owner = connect(Number(port), hostname);
  const ask = `GET /agents HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${flooded.token}\r\n\r\n`;
  owner.write(ask);
  await once(owner, "data");
  using connections = flood(flooded.url, FLOOD, "GET ");
  await eventually("the flood is there", () => connections.opened() >= 2 * FLOOD);
  owner.write(ask);
  const [answer] = (await once(owner, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  owner.destroy();
  value(await flooded.client.call("list-agents", {}));
});
