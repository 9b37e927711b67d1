import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { attack } from "../../support/security/attack.ts";
import { proposalFile } from "../../support/team/own-proposals.ts";
import { agentFile, workflowFile } from "../../support/team/team.ts";

/** Leaves a mark as soon as it is imported. */
const code = (mark: string, name: string, execute = "return n;"): string =>
  `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(mark)}, "was here");\n${proposalFile(name, execute)}`;

let daemon: CommandedDaemon;
const mark = (name: string): string => join(daemon.home, "..", `mark-${name}`);
const isMarked = (name: string): boolean => existsSync(mark(name));

beforeAll(async () => {
  daemon = await startCommandedDaemon({
    files: { ...agentFile("alice"), ...workflowFile("review", "agents: { alice: alice }\n") },
    env: { AGENT_WORKER_TRUST: "0" },
  });
  daemon.write(".agents/proposals/evil.ts", code(mark("evil"), "evil"));
  daemon.write(".agents/proposals/evil2.mjs", code(mark("evil2"), "evil2").replaceAll(": any", ""));
});
afterAll(() => daemon[Symbol.asyncDispose]());

const run = (...args: string[]) => daemon.run(args, { env: { AGENT_WORKER_TRUST: "0" } });
const get = (path: string) => daemon.fetch(path).then((response) => response.text());

describe("code that a stranger's project brings", () => {
  const LOOKS = [
    ["ls"],
    ["check"],
    ["doctor"],
    ["status"],
    ["trust", "--show"],
    ["tool", "list", "alice"],
    ["call"],
    ["call", "evil"],
    ["call", "list-own-proposals"],
    ["call", "add-rule", '{"target":"@review","name":"x","when":{"on":"message"},"then":{"propose":"evil","data":{}}}'],
    ["start", "review"],
    ["send", "alice", "hello"],
    ["completion", "bash"],
    ["ui", "--no-open"],
    ["peek", "alice"],
    ["schema"],
  ];
  for (const look of LOOKS) {
    attack(`is run by ${look.slice(0, 2).join(" ")} before anybody allowed it [own.trust]`, async () => {
      await run(...look);
      expect([isMarked("evil"), isMarked("evil2")]).toEqual([false, false]);
    });
  }

  attack("is run by a request of a page, a client or an MCP client before that [own.trust]", async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const mcp = await daemon.fetch("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify(list),
    });
    expect(await mcp.text()).not.toContain("evil");
    for (const path of ["/", "/openapi.json", "/own-proposals", "/agents", "/health"]) await get(path);
    expect(await daemon.client.propose("evil", {})).toMatchObject({ ok: false, error: { code: "untrusted" } });
    expect([isMarked("evil"), isMarked("evil2")]).toEqual([false, false]);
  });

  attack("is run with another content than the one that was allowed [own.trust]", async () => {
    expect((await run("trust", "--show")).out).toMatch(
      /the project can\n +- run the code of \.agents\/proposals\/evil\.ts inside the daemon, with all your rights \(content [0-9a-f]{32}\)/,
    );
    expect(isMarked("evil")).toBe(false);
    expect(await run("trust", "--trust")).toMatchObject({ exit: 0 });
    expect(await run("call", "evil", '{"n":3}')).toMatchObject({ exit: 0, out: "3\n" });
    expect([isMarked("evil"), isMarked("evil2")]).toEqual([true, true]);

    const before = code(mark("evil"), "evil");
    daemon.write(".agents/proposals/evil.ts", code(mark("changed"), "evil", "return n + 1;"));
    const rests = await run("call", "evil", '{"n":3}');
    expect(rests).toMatchObject({ exit: 3 });
    expect(rests.err).toMatch(/evil\.ts:1: It is not used, because its code is new or has changed/);
    expect((await run("ls")).err).toContain("evil.ts:1: It is not used");
    expect(await run("call", "evil2", '{"n":4}')).toMatchObject({ exit: 0, out: "4\n" });
    expect(isMarked("changed")).toBe(false);
    // What was allowed once stays allowed.
    daemon.write(".agents/proposals/evil.ts", before);
    expect(await run("call", "evil", '{"n":3}')).toMatchObject({ exit: 0, out: "3\n" });
  });

  attack("is run by a new file that the allowed ones share [own.trust]", async () => {
    daemon.write(
      ".agents/proposals/shared/new.ts",
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(mark("shared"))}, "");\n`,
    );
    expect((await run("call", "evil")).err).toContain("shared/new.ts, which it may use");
    expect(isMarked("shared")).toBe(false);
    rmSync(join(daemon.project, ".agents/proposals/shared"), { recursive: true });
    expect(await run("call", "evil", '{"n":3}')).toMatchObject({ exit: 0 });
  });

  attack("is run after consent was taken back [own.trust]", async () => {
    expect(await run("untrust")).toMatchObject({ exit: 0 });
    expect(await run("call", "evil", '{"n":3}')).toMatchObject({ exit: 3 });
    rmSync(mark("evil"));
    await daemon.fetch("/own-proposals");
    expect(isMarked("evil")).toBe(false);
  });
});
