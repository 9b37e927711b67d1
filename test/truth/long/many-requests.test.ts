import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { value } from "../../support/result.ts";

/** "My script sends a thousand messages at once, and each of them arrives once." */
const REQUESTS = 1_000;
const FEW_FILES = 512;
const FILES = { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n" };

interface Response {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** On a connection of its own, as a program without a pool makes it. Rejects when the connection ends without an answer. */
function send({ url, token }: CommandedDaemon, message: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request(`${url}/send`, { method: "POST", agent: false, headers }, (response) => {
      response.resume().on("end", () => {
        resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] });
      });
    });
    sent.on("error", reject).end(JSON.stringify({ to: "alice", message }));
  });
}

async function inOrder(count: number, once: (message: string) => Promise<unknown>): Promise<string[]> {
  const messages = Array.from({ length: count }, (_, i) => `message ${i}`);
  await Promise.all(messages.map(once));
  return messages.toSorted();
}

async function stored({ client }: CommandedDaemon): Promise<string[]> {
  const found: string[] = [];
  for (let before: number | undefined; ;) {
    const input = { target: "alice", limit: 100, ...(before === undefined ? {} : { before }) };
    const { messages } = value(await client.call("peek-channel", input));
    found.push(...messages.filter(({ from }) => from === "user").map(({ content }) => content));
    if (messages.length === 0) return found.toSorted();
    before = Math.min(...messages.map(({ seq }) => seq));
  }
}

it(`${REQUESTS} requests at once on as many connections are all served, also while an agent works [connections.burst]`, async () => {
  await using daemon = await startCommandedDaemon({ files: FILES });
  const sent = await inOrder(REQUESTS, async (message) => {
    expect(await send(daemon, message)).toMatchObject({ status: 200 });
  });
  expect(await stored(daemon)).toEqual(sent);
}, 120_000);

it(`${REQUESTS} calls at once of one client are all served [connections.burst]`, async () => {
  await using daemon = await startCommandedDaemon({ files: FILES });
  const sent = await inOrder(REQUESTS, async (message) => {
    value(await daemon.client.call("send-message", { to: "alice", message }));
  });
  expect(await stored(daemon)).toEqual(sent);
}, 120_000);

it("a daemon that may open few files tells whom it cannot serve, and a repeated request is stored once [connections.burst]", async () => {
  await using daemon = await startCommandedDaemon({ files: FILES, openFiles: FEW_FILES });
  let turnedAway = 0;
  const sent = await inOrder(REQUESTS, async (message) => {
    for (;;) {
      const { status, retryAfter } = await send(daemon, message);
      if (status === 200) return;
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: "1" });
      turnedAway += 1;
      await pause(Number(retryAfter) * 1_000);
    }
  });
  expect(turnedAway).toBeGreaterThan(0);
  expect(await stored(daemon)).toEqual(sent);
}, 120_000);
