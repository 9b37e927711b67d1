import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person } from "../../src/kernel/caller.ts";
import { createEphemeralAgent } from "../../src/operations/agents/create-ephemeral-agent.ts";
import { openHttpRig, type HttpRig } from "../support/daemon/http-rig.ts";
import { eventually } from "../support/team/running-project.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

let rig: HttpRig;
beforeAll(async () => {
  rig = await openHttpRig({ timeouts: { head: 1_000, request: 1_500, check: 100 } });
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("bodies (F24)", () => {
  test("[http.limits] a body as large as its route takes is read, and one byte more is not", async () => {
    for (const [path, limit] of [
      ["/proposals", 64 * KIB],
      ["/send", 8 * MIB],
    ] as const) {
      const fits = await rig.ask("POST", path, { body: padded(limit) });
      expect([path, fits.status]).toEqual([path, 400]);
      const over = await rig.ask("POST", path, { body: padded(limit + 1) });
      expect([path, over.status, over.code]).toEqual([path, 413, "too_large"]);
    }
  });

  test("[http.limits] a message of 100 MB and a body of 200 MB are refused at once, and nothing of them is kept", async () => {
    const before = process.memoryUsage().rss;
    for (const size of [100 * MIB, 200 * MIB]) {
      const { answer, sent } = await pour("/send", `content-length: ${size}`, size);
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(sent).toBeLessThan(64 * MIB);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
    expect((await rig.ask("GET", "/agents")).status).toBe(200);
  });

  test("[http.limits] a body that does not say how long it is ends where the limit is", async () => {
    const { answer, sent } = await pour("/proposals", "transfer-encoding: chunked", 200 * MIB);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(64 * MIB);
  });

  test("[http.limits] whoever asks before sending is told before sending", async () => {
    const head = (length: number): string =>
      `${headOf("/proposals")}expect: 100-continue\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`;
    expect(await rig.raw(head(200 * MIB))).toMatch(/^HTTP\/1\.1 413 /);
    expect(await rig.raw(head(2) + "{}")).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /);
  });

  test("[http.limits] nobody without a token makes us read anything", async () => {
    const { answer, sent } = await pour("/send", "transfer-encoding: chunked", 200 * MIB, "wrong");
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(sent).toBeLessThan(64 * MIB);
  });

  test("a client that goes away in the middle of its body leaves nothing behind", async () => {
    const socket = connect(rig.port, "127.0.0.1");
    socket.write(`${headOf("/send")}content-length: 1000\r\n\r\n{"to":"alice",`);
    await once(socket, "connect");
    socket.destroy();
    expect((await rig.ask("GET", "/agents")).status).toBe(200);
  });
});

describe("clients that are slow or wrong on purpose", () => {
  test("[http.limits] a head or a body that never ends is cut, and one byte at a time is not enough to stay", async () => {
    const cut = [headOf("/send"), `${headOf("/send")}content-length: 9\r\n\r\n{`].map((bytes) => rig.raw(bytes));
    const socket = connect(rig.port, "127.0.0.1");
    socket.write(`${headOf("/send")}x-slow: `);
    const drip = setInterval(() => void socket.write("x"), 20);
    await new Promise((resolve) =>
      socket
        .on("error", () => {})
        .on("close", resolve)
        .resume(),
    );
    clearInterval(drip);
    for (const answer of await Promise.all(cut)) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect((await rig.ask("GET", "/health")).status).toBe(200);
  });

  test("[http.limits] a head that is too large is refused", async () => {
    const wide = { "x-wide": "x".repeat(20 * KIB) };
    expect((await rig.ask("GET", "/agents", { headers: wide })).status).toBe(431);
    expect((await rig.ask("GET", `/agents?${"x".repeat(20 * KIB)}`)).status).toBe(431);
  });

  test("two lengths, or a length and chunks, are one request too many", async () => {
    const head = headOf("/send");
    const smuggled = `GET /agents HTTP/1.1\r\nhost: 127.0.0.1:${rig.port}\r\nauthorization: Bearer ${rig.token}\r\n\r\n`;
    for (const lengths of [
      "content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      "content-length: 2\r\ncontent-length: 3\r\n\r\n{}",
      "transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
      "transfer-encoding : chunked\r\n\r\n0\r\n\r\n",
      "content-length: +2\r\n\r\n{}",
      "content-length: 2, 2\r\n\r\n{}",
    ]) {
      const answer = await rig.raw(head + lengths + smuggled);
      expect([lengths, answer.slice(0, 12)]).toEqual([lengths, "HTTP/1.1 400"]);
      expect([lengths, answer.match(/HTTP\/1\.1/g)?.length]).toEqual([lengths, 1]);
    }
  });

  test("many connections that say nothing keep nobody else out, and are gone after a while", async () => {
    const idle = Array.from({ length: 200 }, () => connect(rig.port, "127.0.0.1").on("error", () => {}));
    await Promise.all(idle.map((socket) => once(socket, "connect")));
    expect((await rig.ask("GET", "/agents")).status).toBe(200);
    await eventually("the silent ones were turned out", () => idle.every((socket) => socket.resume().destroyed));
  });
});

describe("large answers (F24)", () => {
  test("a list of thousands of agents comes whole, and others are served meanwhile", async () => {
    const { system } = rig.second;
    const create = (_: unknown, i: number) =>
      system.propose(person, createEphemeralAgent, { name: `w${i}`, backend: "mock", system: "Work." });
    await Promise.all(Array.from({ length: 2_000 }, create));
    const headers = { "x-agent-worker-project": rig.second.dir };
    const [list, other] = await Promise.all([rig.ask("GET", "/agents", { headers }), rig.ask("GET", "/agents/alice")]);
    expect(other.status).toBe(200);
    expect(list.json["agents"]).toHaveLength(2_003);
  });
});

function padded(bytes: number): string {
  return `{"x":"${"y".repeat(bytes - 8)}"}`;
}

function headOf(path: string, token = rig.token): string {
  const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${rig.port}\r\nauthorization: Bearer ${token}\r\n`;
  return `${head}content-type: application/json\r\n`;
}

/** Sends until all is sent or the other side has had enough. */
function pour(path: string, length: string, size: number, token?: string): Promise<{ answer: string; sent: number }> {
  const content = Buffer.alloc(256 * KIB, "x");
  const piece = length.startsWith("transfer") ? chunk(content) : content;
  return new Promise((resolve) => {
    let [answer, sent] = ["", 0];
    const socket = connect(rig.port, "127.0.0.1");
    const send = (): void => {
      while (sent < size && !socket.destroyed) {
        sent += content.length;
        if (!socket.write(piece)) return;
      }
    };
    socket.on("connect", () => {
      socket.write(`${headOf(path, token)}${length}\r\n\r\n`);
      send();
    });
    socket.on("drain", send).on("error", () => {});
    socket.on("data", (data) => (answer += String(data))).on("close", () => resolve({ answer, sent }));
  });
}

function chunk(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from("\r\n")]);
}
