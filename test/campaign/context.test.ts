import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startCluster } from "../support/postgres/cluster.ts";
import { eventually } from "../support/team/running-project.ts";
import { startServer, type TestServer } from "../support/postgres/server.ts";
import { agentFile, workflowFile } from "../support/team/team.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const FILES = {
  ...agentFile("alice", "runs_on: { node: right }\n"),
  ...agentFile("bob"),
  ...workflowFile("review", "agents:\n  alice: { ref: alice }\n  bob: { ref: bob }\n"),
};

async function ok(node: CommandedDaemon, ...args: readonly string[]): Promise<string> {
  const answer = await node.run(args);
  expect(answer, args.join(" ")).toMatchObject({ exit: 0 });
  return answer.out;
}

function put(node: CommandedDaemon, path: string, text: string): void {
  mkdirSync(dirname(join(node.project, path)), { recursive: true });
  writeFileSync(join(node.project, path), text);
}

describe("personal contexts in a store that nodes share", () => {
  it("[context.store] what is stored on one node is in the prompt of a run on another", async () => {
    await using nodes = await startCluster(server, ["left", "right"], FILES);
    const [left, right] = nodes.nodes as [CommandedDaemon, CommandedDaemon];
    await ok(left, "agent", "memory", "alice", "set", "deploy day", "never on a Friday", "--tier", "core");
    await ok(left, "agent", "notes", "alice", "add", "The cellar floods in March.");
    await ok(left, "agent", "todo", "alice", "add", "order sandbags");
    await ok(right, "send", "alice", "When do we deploy?", "--wait");
    const runs = (await right.json(["runs", "list"])) as { runs: { id: string; node?: string }[] };
    const prompt = await ok(right, "runs", "show", runs.runs[0]?.id ?? "", "--prompt");
    expect(prompt).toContain("never on a Friday");
    expect(prompt).toContain("order sandbags");
    expect(await ok(right, "agent", "memory", "alice", "search", "cellar March")).toContain(
      "The cellar floods in March.",
    );
    const isFound = async () =>
      (await ok(left, "agent", "memory", "alice", "search", "when do we deploy")).includes("When do we deploy?");
    await eventually("the conversation is written", isFound, 30_000);
    for (const { project } of nodes.nodes) expect(existsSync(join(project, ".agents/alice"))).toBe(false);

    await ok(left, "start", "review");
    await ok(left, "doc", "write", "@review", "notes.md", "from the left");
    expect(await ok(right, "doc", "read", "@review", "notes.md")).toContain("from the left");
    await ok(right, "agent", "memory", "alice", "delete", "deploy day");
    expect(await ok(left, "agent", "memory", "alice")).not.toContain("Friday");
  });

  it("[context.transfer] files come into the store and out again to the byte, and nothing is replaced unasked", async () => {
    await using nodes = await startCluster(server, ["left"], FILES);
    const [left] = nodes.nodes as [CommandedDaemon];
    using out = temporaryFolder();
    const texts = {
      ".agents/alice/memory/by-hand.yaml": "# mine\r\nname: Anna   # and no other\n",
      ".agents/alice/notes/2026-01-02-plan.md": "# Plan\n\nwithout a last line end",
      ".agents/alice/conversations/archive/2026-01-01.md": "## 10:00:00 [user]\n\nhello\n",
      ".agents/alice/todo/index.md": "- [ ] one\n- [x] two\n",
      ".agents/alice/soul.yaml": "learned:\n  add:\n    principles:\n      - Be brief # really\n",
    };
    for (const [path, text] of Object.entries(texts)) put(left, path, text);
    const check = await left.run(["check"]);
    expect(check.out + check.err).toMatch(/\.agents\/alice\/ is not used.*\n?.*context import/s);
    expect(await ok(left, "agent", "memory", "alice")).not.toContain("Anna");

    expect(await ok(left, "context", "import")).toContain("Brought 5 files into the store; 0 had the same text");
    expect(await ok(left, "agent", "memory", "alice")).toContain("Anna");
    expect(await ok(left, "agent", "soul", "alice")).toContain("Be brief");
    expect(await ok(left, "context", "import")).toContain("Brought 0 files into the store; 5 had the same text");

    await ok(left, "agent", "todo", "alice", "add", "three");
    const refused = await left.run(["context", "import"]);
    expect(refused.exit).not.toBe(0);
    expect(refused.err).toMatch(/1 file differs from what is in the store: \.agents\/alice\/todo\/index\.md\. Nothing/);
    const back = await left.run(["context", "export"]);
    expect(back.exit).not.toBe(0);
    expect(back.err).toContain("--overwrite");
    expect(readFileSync(join(left.project, ".agents/alice/todo/index.md"), "utf8")).not.toContain("three");

    await ok(left, "context", "export", "--to", out.path);
    for (const [path, text] of Object.entries(texts)) {
      const expected = path.endsWith("index.md") ? `${text}- [ ] three\n` : text;
      expect(readFileSync(out.in(path), "utf8"), path).toBe(expected);
    }
    rmSync(join(left.project, ".agents/alice"), { recursive: true });
    cpSync(out.in(".agents/alice"), join(left.project, ".agents/alice"), { recursive: true });
    expect(await ok(left, "context", "import", "alice")).toContain("5 had the same text");
  });

  it("[context.store] a project that keeps contexts in files says that nodes do not share them", async () => {
    await using nodes = await startCluster(server, ["left"], FILES);
    const [left] = nodes.nodes as [CommandedDaemon];
    put(left, "moniro.yaml", `${readFileSync(join(left.project, "moniro.yaml"), "utf8")}context: { provider: file }\n`);
    for (const command of ["check", "doctor"]) {
      const said = await left.run([command]);
      expect(said.out + said.err, command).toContain("Each node has personal contexts of its own");
    }
    expect((await left.run(["context", "import"])).err).toContain("context: { provider: store }");
  });
});
