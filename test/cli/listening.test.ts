import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";

const CERT = join(import.meta.dirname, "../fixtures/tls/cert.pem");
const KEY = join(import.meta.dirname, "../fixtures/tls/key.pem");

describe("a daemon that other machines can reach", () => {
  it.each([
    [["--host", "0.0.0.0"], "needs encryption"],
    [["--host", "10.0.0.5", "--tls-cert", CERT], "belong together"],
    [["--host", "0.0.0.0", "--tls-cert", CERT, "--tls-key", "/nowhere/key.pem"], "cannot be read"],
    [["--tls-cert", CERT, "--tls-key", KEY, "--behind-proxy", "team.example"], "leave out --tls-cert"],
  ])("[daemon.host] is refused without encryption: %j", async (args, message) => {
    using folder = commandFolder();
    const answer = await folder.run(["daemon", "start", ...args]);
    expect(answer).toMatchObject({ exit: 2, err: expect.stringContaining(message) });
  });

  it("[daemon.host] [http.tls] answers with TLS, while commands on its machine go on as always", async () => {
    using folder = commandFolder();
    const env = { HOME: folder.path, AGENT_WORKER_HOME: folder.in("home"), AGENT_WORKER_PORT: "0" };
    const tls = ["--host", "0.0.0.0", "--tls-cert", CERT, "--tls-key", KEY];
    try {
      expect(await folder.run(["daemon", "start", ...tls], { env })).toMatchObject({ exit: 0, err: "" });
      const { port } = JSON.parse(readFileSync(folder.in("home/daemon.json"), "utf8")) as { port: number };
      const asked = request({ port, host: "localhost", path: "/health", ca: readFileSync(CERT), agent: false });
      asked.end();
      const [response] = (await once(asked, "response")) as [AsyncIterable<Buffer> & { statusCode: number }];
      let text = "";
      for await (const piece of response) text += String(piece);
      expect({ status: response.statusCode, text }).toEqual({ status: 200, text: '{"status":"ready"}' });
      expect(await folder.run(["status"], { env })).toMatchObject({ exit: 0, out: expect.stringContaining("ready") });
      expect((await folder.run(["daemon", "restart"], { env })).exit).toBe(0);
      expect(JSON.parse(readFileSync(folder.in("home/daemon.json"), "utf8"))).toMatchObject({
        host: "0.0.0.0",
        exposure: { kind: "tls" },
      });
    } finally {
      await folder.run(["daemon", "stop"], { env });
    }
  });
});
