import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectToDaemon } from "../../src/client/connect.ts";
import { createRunCredentials } from "../../src/daemon/run-credentials.ts";
import { createRedactor } from "../../src/kernel/redact.ts";
import type { RunCredential } from "../../src/runtime/daemon-context.ts";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { value } from "../support/result.ts";

/** Every file below a folder that holds one of the texts. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return false;
    const content = readFileSync(path);
    return texts.some((text) => content.includes(text));
  });
}

describe("the token of a person (F17)", () => {
  it("is in daemon.json only: not in arguments, environments, logs, the store or answers [security.token-leak]", async () => {
    const key = "a key of the environment, 0123456789";
    await using daemon = await startTestDaemon({
      env: { AGENT_WORKER_LOG: "debug", SOME_API_KEY: key },
      files: {
        ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n",
        ".workflows/look.yaml":
          "name: look\nagents: { alice: { ref: alice } }\nsetup:\n  - shell: env\n    as: environment\nkickoff: '@alice ${{ environment }}'\n",
      },
    });
    const { client, token, home, project, pid } = daemon;
    const spellings = [token, Buffer.from(token).toString("base64"), key];
    value(await client.call("send-message", { to: "alice", message: `are ${token} and ${key} secrets?` }));
    const served = await client.serve({ workflow: "look" });
    const wrong = await Promise.all([
      daemon.fetch(`/nothing/${token}?token=${token}`),
      daemon.fetch("/send", {
        method: "POST",
        body: `{"to": "${token}", "message": "${token}"}`,
        headers: { "content-type": "application/json" },
      }),
      fetch(`${daemon.url}/agents`, { headers: { authorization: `Bearer ${token}x` } }),
    ]);
    expect(wrong.map(({ status }) => status)).toEqual([404, expect.any(Number), 401]);
    const pages = [wrong[2], await daemon.fetch("/nothing"), await daemon.fetch("/mcp", { method: "PUT" })];
    for (const page of pages) expect(`${await page.text()} ${JSON.stringify([...page.headers])}`).not.toContain(token);
    expect(served.ok).toBe(true);
    expect(JSON.stringify(served)).not.toContain(token);

    for (const file of ["cmdline", "environ"]) {
      expect(readFileSync(`/proc/${pid}/${file}`, "latin1")).not.toContain(token);
    }
    expect(daemon.errors()).not.toContain(token);
    expect(await daemon.stop()).toBe(0);
    expect(filesWith(project, spellings)).toEqual([]);
    expect(filesWith(home, spellings)).toEqual([]);
    expect(readFileSync(join(home, "logs/daemon.log"), "utf8")).toContain('"message":"ready"');
  });

  it("is in a file of mode 0600 in a folder of mode 0700 while the daemon runs [security.token-leak]", async () => {
    await using daemon = await startTestDaemon();
    expect(filesWith(daemon.home, [daemon.token])).toEqual(["daemon.json"]);
    expect(statSync(join(daemon.home, "daemon.json")).mode & 0o777).toBe(0o600);
    expect(statSync(daemon.home).mode & 0o777).toBe(0o700);
    expect(statSync(join(daemon.home, "logs")).mode & 0o777).toBe(0o700);
    expect(statSync(join(daemon.home, "logs/daemon.log")).mode & 0o777).toBe(0o600);
    expect(daemon.token).toMatch(/^[\w-]{43}$/);
  });

  it("is worthless with the next daemon, whose token clients find by themselves [security.token-leak]", async () => {
    await using daemon = await startTestDaemon();
    await daemon.client.health();
    await daemon.stop();
    await using next = await daemon.restart();
    expect(next.token).not.toBe(daemon.token);
    const ask = (token: string) => fetch(`${next.url}/agents`, { headers: { authorization: `Bearer ${token}` } });
    expect((await ask(daemon.token)).status).toBe(401);
    expect((await ask(next.token)).status).toBe(200);
    // The same client as before: it makes sure of the new daemon, and uses the new token.
    expect((await daemon.client.health()).pid).toBe(next.pid);
  });

  it("is taken from the environment together with an address, and a wrong one is refused", async () => {
    await using daemon = await startTestDaemon();
    const env = { AGENT_WORKER_URL: daemon.url, AGENT_WORKER_TOKEN: daemon.token };
    using client = await connectToDaemon({ env });
    expect((await client.health()).pid).toBe(daemon.pid);
    const wrong = await connectToDaemon({ env: { ...env, AGENT_WORKER_TOKEN: "awr_nobody" } });
    expect(await wrong.call("list-agents", {})).toMatchObject({ ok: false, error: { code: "unauthenticated" } });
    wrong[Symbol.dispose]();
  });
});

describe("the tokens of runs (F17)", () => {
  const credential = { caller: { name: "alice" } } as RunCredential;

  it("are valid until they are disposed, each for its own credential [security.run-token]", () => {
    const runCredentials = createRunCredentials(() => "http://127.0.0.1:1/mcp");
    const first = runCredentials.issue(credential);
    const second = runCredentials.issue({ ...credential });
    expect(first).toMatchObject({ url: "http://127.0.0.1:1/mcp" });
    expect(first.token).not.toBe(second.token);
    expect(runCredentials.size).toBe(2);
    expect(runCredentials.find(first.token)).toBe(credential);
    expect(runCredentials.find(`${first.token}x`)).toBeUndefined();
    expect(runCredentials.find("")).toBeUndefined();
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(runCredentials.find(first.token)).toBeUndefined();
    expect(runCredentials.find(second.token)).not.toBe(credential);
    expect(runCredentials.size).toBe(1);
  });

  it("are known by their shape, so that none is kept in what an agent says", () => {
    const { token } = createRunCredentials(() => "").issue(credential);
    const said = createRedactor().redact(`my token is ${token}, AGENT_WORKER_TOKEN=${token}`);
    expect(said).not.toContain(token.slice(4));
  });
});
