import { writeFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { connectToDaemon } from "../../src/client/connect.ts";
import { openDaemon, type Daemon } from "../../src/daemon/daemon.ts";
import { scriptedEngine } from "../../src/testing/scripted-engine.ts";
import { runInstalled, type Answer } from "../support/daemon/installed-command.ts";
import { eventually } from "../support/team/running-project.ts";
import { workflowFile } from "../support/team/team.ts";
import { temporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";

const agent = (name: string, backend: string) => ({
  [`.agents/${name}.yaml`]: `name: ${name}\nbackend: ${backend}\nprompt: { system: Work. }\n`,
});
const FILES = {
  ...agent("ann", "codex"),
  ...agent("ben", "mock"),
  ...workflowFile("work", "agents: { ann: { ref: ann }, ben: { ref: ben } }\n"),
};

/** An agent on a program of its own, in the middle of a run: it has nothing but its token. */
let folder: TemporaryFolder;
let daemon: Daemon;
let client: Client;
const release = Promise.withResolvers<string>();
let endpoint: { readonly url: string; readonly token: string } | null = null;

beforeAll(async () => {
  folder = temporaryFolder();
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(folder.in(path)), { recursive: true });
    writeFileSync(folder.in(path), text);
  }
  const engine = scriptedEngine(({ spec }) => {
    endpoint = spec.endpoint;
    return release.promise;
  });
  const home = folder.in("home");
  daemon = await openDaemon({
    trustsAll: true,
    home,
    projectDir: folder.path,
    env: {},
    engines: new Map([["codex", engine]]),
  });
  client = await connectToDaemon({ home, projectDir: folder.path, env: {} });
  await client.call("open-workspace", { workflow: "work" });
  await client.call("send-message", { to: "@work", message: "@ann please begin" });
  await eventually("ann is at work", async () => endpoint !== null);
});
afterAll(async () => {
  release.resolve("done");
  client[Symbol.dispose]();
  await daemon[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function asAnn(...args: readonly string[]): Promise<Answer> {
  const env = {
    HOME: folder.in("nobody"),
    AGENT_WORKER_URL: endpoint?.url ?? "",
    AGENT_WORKER_TOKEN: endpoint?.token ?? "",
  };
  return runInstalled(["context", ...args], { cwd: folder.path, env });
}

describe("agent-worker context", () => {
  it("[cli.context] sends, reads, shows the inbox and acknowledges as the agent of the run", async () => {
    expect(await asAnn("send", "@ben the draft is ready")).toEqual({
      exit: 0,
      out: expect.stringMatching(/^Sent as msg_\w+\. It wakes ben\.\n$/),
      err: "",
    });
    const read = JSON.parse((await asAnn("read", "--json")).out) as { messages: unknown[] };
    expect(read.messages.slice(0, 2)).toMatchObject([
      { from: "user", content: "@ann please begin" },
      { from: "ann", content: "@ben the draft is ready" },
    ]);
    await client.call("send-message", { to: "ann@work", message: "one more thing" });
    const inbox = JSON.parse((await asAnn("inbox", "--json")).out) as { deliveries: { id: string; state: string }[] };
    const waiting = inbox.deliveries.find(({ state }) => state === "pending");
    expect(waiting).toMatchObject({ lane: "normal", message: { content: "one more thing" } });
    const acked = await asAnn("ack", waiting?.id ?? "");
    expect(acked).toMatchObject({ exit: 0, out: `Acknowledged ${waiting?.id}.\n` });
    expect((await asAnn("inbox")).out).not.toContain("one more thing");
  });

  it("[cli.context] [cli.errors] can do nothing that is not the agent's", async () => {
    expect(await asAnn("ack", "dlv_none")).toMatchObject({ exit: 3, out: "" });
    expect(await asAnn("send", "psst", "--to", "zoe")).toMatchObject({ exit: 3, out: "" });
    expect(await asAnn("send", " ")).toMatchObject({ exit: 2 });
    expect(await asAnn("ack")).toMatchObject({ exit: 2, err: expect.stringContaining("ID is missing") });
    expect(await asAnn("read", "-n", "few")).toMatchObject({ exit: 2 });
  });

  it.each(["send hello", "read", "inbox", "ack dlv_1"])(
    "[cli.context] %s refuses without the token of a run",
    async (line) => {
      const env = { HOME: folder.path, AGENT_WORKER_HOME: folder.in("home") };
      expect(await runInstalled(["context", ...line.split(" ")], { cwd: folder.path, env })).toEqual({
        exit: 3,
        out: "",
        err: expect.stringContaining("no token of a run"),
      });
    },
  );

  it("[cli.context] [security.run-token] refuses a token that opens nothing", async () => {
    const env = { HOME: folder.path, AGENT_WORKER_URL: endpoint?.url ?? "", AGENT_WORKER_TOKEN: "made-up-0123456789" };
    expect(await runInstalled(["context", "read"], { cwd: folder.path, env })).toMatchObject({ exit: 3, out: "" });
  });
});
