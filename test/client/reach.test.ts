import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { connectToDaemon } from "../../src/client/connect.ts";
import { reachDaemon } from "../../src/client/reach.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { register, registration, STALE_TOKEN } from "../support/daemon/registration.ts";
import { startStranger } from "../support/daemon/stranger.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const respond = (socket: Socket, headers: string, body = '{"status":"ready"}', status = "200 OK"): void => {
  socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`);
};
const nonceIn = (heard: string): string => /x-agent-worker-challenge: (\w+)/.exec(heard)?.[1] ?? "";
const proofOf = (token: string, nonce: string): string => createHmac("sha256", token).update(nonce).digest("hex");

describe("a stranger on the port of a stale daemon.json (F12)", () => {
  const strangers: readonly (readonly [string, (socket: Socket, heard: string) => void])[] = [
    ["answers like any web server", (socket) => respond(socket, "")],
    ["answers like a daemon without a proof", (socket) => respond(socket, "x-agent-worker-version: 0.1.0\r\n")],
    [
      "proves another token",
      (socket, heard) => respond(socket, `x-agent-worker-proof: ${proofOf("x".repeat(43), nonceIn(heard))}\r\n`),
    ],
    [
      "repeats a proof it heard once",
      (socket) => respond(socket, `x-agent-worker-proof: ${proofOf(STALE_TOKEN, "0".repeat(32))}\r\n`),
    ],
    ["echoes the nonce", (socket, heard) => respond(socket, `x-agent-worker-proof: ${nonceIn(heard)}\r\n`)],
    ["asks for the token", (socket) => respond(socket, "www-authenticate: Bearer\r\n", "", "401 Unauthorized")],
    ["sends the caller elsewhere", (socket) => respond(socket, "location: http://127.0.0.1:1/\r\n", "", "302 Found")],
    ["speaks another protocol", (socket) => socket.write("SSH-2.0-something\r\n")],
    ["answers without end", (socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(200_000)}`)],
    ["hangs up", (socket) => socket.destroy()],
    ["closes without a word", (socket) => socket.end()],
    ["never says anything", () => {}],
  ];

  it.each(strangers)(
    "is not taken for the daemon when it %s, and never gets the token [daemon.stale-discovery]",
    async (what, answer) => {
      using home = temporaryFolder();
      await using stranger = await startStranger(answer);
      register(home.path, registration({ port: stranger.port }));
      const reached = await reachDaemon(home.path, 300);
      expect(reached).toEqual({ state: "unreachable", reason: expect.stringContaining(`port ${stranger.port}`) });
      // One that hangs up may be a daemon with too many connections.
      expect(stranger.calls()).toBe(/hangs up|closes/.test(what) ? 5 : 1);
      expect(stranger.heard()).toContain("GET /health HTTP/1.1");
      expect(stranger.heard()).not.toContain(STALE_TOKEN);
      expect(stranger.heard()).not.toContain(Buffer.from(STALE_TOKEN).toString("base64"));
      expect(stranger.heard()).not.toMatch(/authorization/i);
    },
  );

  it("is named, with what to do, when a command wants the daemon", async () => {
    using home = temporaryFolder();
    await using stranger = await startStranger((socket) => respond(socket, ""));
    register(home.path, registration({ port: stranger.port }));
    const failure = await connectToDaemon({ home: home.path, env: {} }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Fault);
    expect(failure).toMatchObject({
      code: "daemon_unreachable",
      message: expect.stringContaining("another program answers there"),
      hint: expect.stringContaining("daemon start"),
    });
  });
});

describe("a stale daemon.json (F12)", () => {
  it("is not believed because its process id is in use [daemon.stale-discovery]", async () => {
    using home = temporaryFolder();
    await using stranger = await startStranger(() => {});
    const { port } = stranger;
    await stranger[Symbol.asyncDispose]();
    register(home.path, registration({ port, pid: process.pid }));
    expect(await reachDaemon(home.path)).toEqual({
      state: "unreachable",
      reason: expect.stringContaining("nobody listens there"),
    });
  });

  it("is named when a command wants the daemon and the file cannot be used", async () => {
    using home = temporaryFolder();
    register(home.path, registration(), 0o644);
    const failed = connectToDaemon({ home: home.path, env: {} });
    await expect(failed).rejects.toThrow("There is no daemon running: daemon.json has mode 0644 and not 0600.");
  });
});

describe("a daemon that proves itself", () => {
  it("is there, is on its way out when it says so, and tells its version", async () => {
    using home = temporaryFolder();
    let status = "ready";
    await using daemon = await startStranger((socket, heard) => {
      const proof = proofOf(STALE_TOKEN, nonceIn(heard));
      respond(
        socket,
        `x-agent-worker-proof: ${proof}\r\nx-agent-worker-version: 9.9.9\r\n`,
        JSON.stringify({ status }),
      );
    });
    register(home.path, registration({ port: daemon.port }));
    const reached = await reachDaemon(home.path);
    expect(reached).toMatchObject({ state: "ready", connection: { daemon: { version: "9.9.9", status: "ready" } } });
    if (reached.state === "ready") reached.connection[Symbol.dispose]();
    using client = await connectToDaemon({ home: home.path, env: {} });
    expect(client.daemonVersion).toBe("9.9.9");
    expect(daemon.heard()).not.toContain(STALE_TOKEN);
    status = "draining";
    expect(await reachDaemon(home.path)).toMatchObject({ state: "draining" });
    await expect(connectToDaemon({ home: home.path, env: {} })).rejects.toThrow("The daemon is stopping.");
  });
});

describe("a daemon that the environment names", () => {
  it("takes both the address and the token, or neither", async () => {
    using home = temporaryFolder();
    const env = { AGENT_WORKER_HOME: home.path };
    await expect(connectToDaemon({ env: { ...env, AGENT_WORKER_URL: "http://127.0.0.1:1" } })).rejects.toThrow(
      "belong together",
    );
    await expect(connectToDaemon({ env: { ...env, AGENT_WORKER_TOKEN: "awr_x" } })).rejects.toThrow("belong together");
    for (const url of ["ftp://127.0.0.1:1", "127.0.0.1:5099", "https://example.com", "http://user:pw@127.0.0.1:1"]) {
      await expect(
        connectToDaemon({ env: { ...env, AGENT_WORKER_URL: url, AGENT_WORKER_TOKEN: "awr_x" } }),
      ).rejects.toThrow("must look like");
    }
    const nobody = connectToDaemon({
      env: { ...env, AGENT_WORKER_URL: "http://127.0.0.1:1", AGENT_WORKER_TOKEN: "awr_x" },
    });
    await expect(nobody).rejects.toThrow("There is no daemon at http://127.0.0.1:1: nobody listens there.");
  });
});
