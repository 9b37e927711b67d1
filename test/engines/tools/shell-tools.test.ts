import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Permissions } from "../../../src/domain/agent/definition.ts";
import { createShellTools, type ShellToolsOptions } from "../../../src/engines/tools/shell-tools.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { ApprovalAnswer, ToolCall, ToolHost, ToolOutcome } from "../../../src/ports/tools.ts";
import { failureOf } from "../../../src/testing/engine-steps.ts";
import { processGone } from "../../support/process/process-gone.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

const ANY: Permissions = { mode: "host", allow: ["*"] };

function project(): TemporaryFolder {
  const folder = temporaryFolder();
  mkdirSync(folder.in("src"));
  mkdirSync(folder.in(".workspace"));
  writeFileSync(folder.in("src/a.ts"), "one\ntwo\nthree\n");
  writeFileSync(folder.in(".workspace/agent-worker.db"), "private");
  return folder;
}

function toolsOf(folder: TemporaryFolder, permissions?: Permissions, more: Partial<ShellToolsOptions> = {}) {
  return createShellTools({
    definition: permissions === undefined ? {} : { permissions },
    personalFolders: { own: ".agents/alice", others: [".agents/bob"] },
    projectDir: folder.path,
    clock: systemClock,
    askApproval: async () => ({ approved: false, reason: "nobody is here" }),
    ...more,
  });
}

let calls = 0;
async function use(tools: ToolHost, tool: string, args: unknown, signal = new AbortController().signal) {
  return tools.call({ id: `call_${(calls += 1)}`, tool, args }, signal);
}

const good = (content: unknown) => ({ kind: "result", isError: false, content });
const bad = (content: unknown) => ({ kind: "result", isError: true, content });

describe("the virtual shell", () => {
  it("reads the project and keeps what is written to itself, for one run", async () => {
    using folder = project();
    await using tools = toolsOf(folder);
    expect(tools.list().map(({ name }) => name)).toEqual(["bash", "read_file", "write_file", "list_files"]);
    expect(await use(tools, "bash", { command: "cd src && wc -l < a.ts; echo four >> a.ts; tail -n 1 a.ts" })).toEqual(
      good(expect.stringMatching(/3\s+four/)),
    );
    expect(await use(tools, "write_file", { path: "docs/new.md", content: "hello" })).toEqual(
      good(expect.stringMatching(/^Wrote 5 bytes to docs\/new\.md, kept for this run only\./)),
    );
    expect(await use(tools, "bash", { command: "cat /project/docs/new.md" })).toEqual(good("hello"));
    expect(await use(tools, "read_file", { path: "src/a.ts", offset: 3, limit: 1 })).toEqual(
      good("three\n[2 more lines; go on with offset 4]"),
    );
    expect(await use(tools, "bash", { command: "rm -rf /project/src; ls" })).toEqual(good("docs"));
    expect(readFileSync(folder.in("src/a.ts"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(existsSync(folder.in("docs"))).toBe(false);

    await using next = toolsOf(folder);
    expect(await use(next, "list_files", {})).toEqual(good("src/"));
  });

  it("starts in the agent's folder", async () => {
    using folder = project();
    await using tools = toolsOf(folder, undefined, { definition: { cwd: "src" } });
    expect(await use(tools, "bash", { command: "pwd; ls" })).toEqual(good("/project/src\na.ts"));
    expect(await use(tools, "read_file", { path: "a.ts", limit: 1 })).toEqual(good(expect.stringContaining("one")));
  });

  it("has no way out: not to the disk, the daemon's files, the environment, the network or a program", async () => {
    using folder = project();
    symlinkSync("/etc", folder.in("link"));
    await using tools = toolsOf(folder, undefined, { environment: { SECRET: "hunter2" } });
    for (const command of [
      "cat /etc/passwd",
      "cat ../etc/passwd",
      "cat link/passwd",
      "cat .workspace/agent-worker.db",
      "cat /proc/self/environ",
      "curl https://example.com",
      "node -e 1",
    ]) {
      const outcome = await use(tools, "bash", { command });
      expect(outcome, command).toMatchObject({ isError: true });
      expect(JSON.stringify(outcome), command).not.toMatch(/root:|private/);
    }
    expect(await use(tools, "bash", { command: "env" })).not.toEqual(good(expect.stringContaining("hunter2")));
    expect(await use(tools, "read_file", { path: "link/passwd" })).toMatchObject({ isError: true });
    expect(await use(tools, "read_file", { path: ".workspace/agent-worker.db" })).toMatchObject({ isError: true });
    expect(await use(tools, "read_file", { path: "../../../../etc/passwd" })).toMatchObject({ isError: true });
  });

  it("ends what does not end, and bounds what is printed and kept", async () => {
    using folder = project();
    await using tools = toolsOf(folder);
    expect(await use(tools, "bash", { command: "while true; do :; done" })).toMatchObject({ isError: true });
    expect(await use(tools, "bash", { command: "sleep 60", timeout_seconds: 1 })).toEqual(
      bad(expect.stringContaining("[stopped after 1 s]")),
    );
    const stop = new AbortController();
    const reason = new Error("enough");
    const sleeping = failureOf(() => use(tools, "bash", { command: "sleep 60" }, stop.signal));
    await pause(20);
    stop.abort(reason);
    expect(await sleeping).toBe(reason);
    const loud = await use(tools, "bash", { command: "printf '%900000s' x" });
    expect(loud).toMatchObject({ isError: false });
    expect(loud.kind === "result" && loud.content.length).toBeLessThan(60_000);
    expect(JSON.stringify(loud)).toContain("characters left out");
  });

  it("answers mistakes with what is wrong", async () => {
    using folder = project();
    await using tools = toolsOf(folder);
    expect(await use(tools, "read_file", { path: "nope" })).toEqual(bad("There is no nope."));
    expect(await use(tools, "read_file", { path: "src" })).toEqual(bad("src is a folder; use list_files."));
    expect(await use(tools, "read_file", {})).toEqual(bad(expect.stringContaining("path")));
    expect(await use(tools, "bash", { command: 3 })).toEqual(bad(expect.stringContaining("arguments of bash")));
    expect(await use(tools, "bsh", {})).toEqual(bad(expect.stringContaining('Did you mean "bash"?')));
    expect(await use(tools, "bash", { command: "exit 3" })).toEqual(bad("[exit code 3]"));
  });
});

describe("the host shell", () => {
  it("works on the real project, in the agent's folder, with a small environment", async () => {
    using folder = project();
    await using tools = toolsOf(folder, undefined, {
      definition: { permissions: ANY, cwd: "src", env: { TEAM: "red", FROM: "$GIVEN" } },
      environment: { PATH: process.env["PATH"], SECRET_KEY: "hunter2", GIVEN: "value" },
    });
    expect(await use(tools, "bash", { command: "cat a.ts | head -1; echo $TEAM $FROM; env | grep -c SECRET" })).toEqual(
      bad("one\nred value\n0\n[exit code 1]"),
    );
    expect(await use(tools, "write_file", { path: "b/c.ts", content: "new" })).toMatchObject({ isError: false });
    expect(readFileSync(folder.in("src/b/c.ts"), "utf8")).toBe("new");
    expect(await use(tools, "list_files", {})).toEqual(good("a.ts\nb/"));
    expect(await use(tools, "read_file", { path: folder.in("src/b/c.ts") })).toEqual(good("new"));
  });

  it("keeps file tools inside the project and away from what people write", async () => {
    using folder = project();
    using outside = temporaryFolder();
    writeFileSync(outside.in("secret"), "private");
    symlinkSync(outside.path, folder.in("link"));
    await using tools = toolsOf(folder, ANY);
    for (const path of [
      "../x",
      "/etc/passwd",
      "link/secret",
      outside.in("secret"),
      "src/../../x",
      ".age\u200Cnts/x",
      "a\0b",
    ]) {
      expect(await use(tools, "read_file", { path }), path).toMatchObject({ isError: true });
      expect(await use(tools, "write_file", { path, content: "x" }), path).toMatchObject({ isError: true });
    }
    for (const path of [
      ".agents/bob.yaml",
      "moniro.yaml",
      ".workspace/x",
      ".git/hooks/pre-commit",
      ".AGENTS/x",
      "src/../.agents/x",
      "people/alice/soul.yaml",
    ]) {
      expect(await use(tools, "write_file", { path, content: "x" }), path).toEqual(bad(expect.stringContaining(path)));
      expect(existsSync(folder.in(path)), path).toBe(false);
    }
    expect(readFileSync(outside.in("secret"), "utf8")).toBe("private");
  });

  it("refuses a working directory that leads out of the project", async () => {
    using folder = project();
    symlinkSync("/", folder.in("out"));
    await using tools = toolsOf(folder, undefined, { definition: { permissions: ANY, cwd: "out" } });
    expect(await use(tools, "bash", { command: "pwd" })).toEqual(bad(expect.stringContaining("not a folder")));
  });

  it("ends the whole group when it is aborted, times out, ends or is disposed", async () => {
    using folder = project();
    const background = "sleep 300 & echo $! > pid; ";
    const pid = (): number => Number(readFileSync(folder.in("pid"), "utf8"));
    const written = async (): Promise<void> => {
      while (!existsSync(folder.in("pid")) || !(pid() > 0)) await pause(10);
    };
    const tools = toolsOf(folder, ANY);

    expect(await use(tools, "bash", { command: `${background} echo done` })).toEqual(good("done"));
    expect(await processGone(pid())).toBe(true);

    writeFileSync(folder.in("pid"), "");
    const stop = new AbortController();
    const reason = new Error("enough");
    const aborted = failureOf(() => use(tools, "bash", { command: `${background} wait` }, stop.signal));
    await written();
    stop.abort(reason);
    expect(await aborted).toBe(reason);
    expect(await processGone(pid())).toBe(true);

    expect(await use(tools, "bash", { command: `${background} wait`, timeout_seconds: 1 })).toEqual(
      bad("[stopped after 1 s]"),
    );
    expect(await processGone(pid())).toBe(true);

    writeFileSync(folder.in("pid"), "");
    const disposed = failureOf(() => use(tools, "bash", { command: `${background} wait` }));
    await written();
    await tools[Symbol.asyncDispose]();
    await tools[Symbol.asyncDispose]();
    expect(await disposed).toBeInstanceOf(Error);
    expect(await processGone(pid())).toBe(true);
  });

  it("takes endless output in bounded memory, beginning and end", async () => {
    using folder = project();
    await using tools = toolsOf(folder, ANY);
    const outcome = await use(tools, "bash", { command: "echo first; yes é | head -c 20000000; echo; echo last" });
    expect(outcome).toMatchObject({ isError: false });
    const content = outcome.kind === "result" ? outcome.content : "";
    expect(content.startsWith("first")).toBe(true);
    expect(content.endsWith("last")).toBe(true);
    expect(content.length).toBeLessThan(60_000);
    expect(content).not.toContain("\uFFFD");
  });
});

describe("permission", () => {
  it("runs what is allowed, refuses what is denied with the pattern, and parks what is asked", async () => {
    using folder = project();
    const asked: ToolCall[] = [];
    let answer: ApprovalAnswer = { pending: "apr_1" };
    await using tools = toolsOf(
      folder,
      { mode: "host", allow: ["bash(echo *)", "read_file"], deny: ["write_file(src/**)"] },
      {
        askApproval: async (call) => {
          asked.push(call);
          return answer;
        },
      },
    );
    const signal = new AbortController().signal;
    expect(await use(tools, "bash", { command: "echo hi" })).toEqual(good("hi"));
    expect(await use(tools, "write_file", { path: "./src/../src/a.ts", content: "x" })).toEqual(
      bad(expect.stringContaining('"write_file(src/**)" is denied')),
    );
    expect(readFileSync(folder.in("src/a.ts"), "utf8")).toContain("one");

    const call: ToolCall = { id: "call_77", tool: "bash", args: { command: "echo hi; touch made" } };
    const parked: ToolOutcome = { kind: "approval", approval: "apr_1" };
    expect(await tools.call(call, signal)).toEqual(parked);
    expect(existsSync(folder.in("made"))).toBe(false);
    answer = { approved: false, reason: "not now" };
    expect(await tools.call(call, signal)).toEqual(bad("A person refused this call: not now"));
    expect(existsSync(folder.in("made"))).toBe(false);
    answer = { approved: true };
    expect(await tools.call(call, signal)).toEqual(good("hi"));
    expect(existsSync(folder.in("made"))).toBe(true);
    expect(asked).toEqual([call, call, call]);
  });

  it("[approval.asked] is not asked for a write that changes nothing, and a rule that denies still does", async () => {
    using folder = project();
    const asked: ToolCall[] = [];
    const askApproval = async (call: ToolCall): Promise<ApprovalAnswer> => {
      asked.push(call);
      return { pending: "apr_1" };
    };
    await using tools = toolsOf(folder, { mode: "host", deny: ["write_file(b*)"] }, { askApproval });
    const content = readFileSync(folder.in("src/a.ts"), "utf8");
    expect(await use(tools, "write_file", { path: "src/a.ts", content })).toEqual(
      good("src/a.ts has this content already: nothing was written."),
    );
    expect(asked).toEqual([]);
    expect(await use(tools, "write_file", { path: "src/a.ts", content: `${content} ` })).toMatchObject({
      kind: "approval",
    });
    expect(await use(tools, "write_file", { path: "b.txt", content })).toMatchObject({ isError: true });
    expect(asked).toHaveLength(1);
  });

  it("is asked on the host when nothing is said, and not before the arguments are known to be good", async () => {
    using folder = project();
    let asked = 0;
    const askApproval = async (): Promise<ApprovalAnswer> => ({ pending: `apr_${(asked += 1)}` });
    await using tools = toolsOf(folder, { mode: "host" }, { askApproval });
    expect(await use(tools, "read_file", { path: "../x" })).toMatchObject({ isError: true });
    expect(await use(tools, "bash", {})).toMatchObject({ isError: true });
    expect(asked).toBe(0);
    expect(await use(tools, "bash", { command: "ls" })).toEqual({ kind: "approval", approval: "apr_1" });
  });
});
