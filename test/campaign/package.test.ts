import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import description from "../../package.json" with { type: "json" };
import { documentBlocks } from "../support/document-blocks.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { packIn } from "../support/packed-package.ts";
import { repository } from "../support/team/planted-project.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * The package as somebody else gets it: packed from a copy of the repository, unpacked beside the dependencies it names
 * and no others, and used from a project of theirs.
 */
const folder = temporaryFolder();
const user = join(folder.path, "user");
const installed = join(user, "node_modules/agent-worker");

beforeAll(() => {
  const packed = packIn(folder.path);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", packed, "-C", installed, "--strip-components=1"]);
  for (const name of [...Object.keys(description.dependencies), "@types/node"]) {
    mkdirSync(dirname(join(user, "node_modules", name)), { recursive: true });
    symlinkSync(join(repository, "node_modules", name), join(user, "node_modules", name));
  }
  writeFileSync(join(user, "package.json"), JSON.stringify({ type: "module" }));
}, 120_000);
afterAll(() => {
  run([join(installed, "bin/agent-worker.js"), "daemon", "stop"]);
  rmSync(folder.path, { recursive: true, force: true });
});

const environment = () => ({
  ...process.env,
  HOME: folder.path,
  AGENT_WORKER_HOME: join(folder.path, "home"),
  AGENT_WORKER_PORT: "0",
});

function run(args: readonly string[]) {
  return spawnSync(process.execPath, args, { cwd: user, env: environment(), encoding: "utf8", timeout: 60_000 });
}

describe("the package", () => {
  it("runs proposals of a project in which nothing is installed [own.example]", () => {
    const project = join(folder.path, "elsewhere");
    cpSync(join(installed, "examples/merge-gate"), project, { recursive: true });
    const inProject = (...args: string[]) =>
      run([join(installed, "bin/agent-worker.js"), ...args, "--project", project, "--trust"]);
    expect(inProject("start", "change")).toMatchObject({ status: 0 });
    const { stdout, stderr } = inProject("call", "merge_gate", '{"change":"pr-1","target":"@change"}');
    expect({ stderr, answer: JSON.parse(stdout || "null") }).toEqual({
      stderr: "",
      answer: { change: "pr-1", approvals: ["user"], open: false },
    });
  });

  it("[docs.package] holds what was built and no sources, and its command runs the demo", () => {
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(["bin", "dist", "examples", "package.json"]));
    expect(readdirSync(installed)).not.toContain("src");
    const { status, stdout, stderr } = run([join(installed, "bin/agent-worker.js"), "demo"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("reviewer");
  });

  it("[docs.package] holds the virtual shell, which needs no package of its own", () => {
    expect(Object.keys(description.dependencies)).not.toContain("just-bash");
    const script =
      '- steps:\n    - call: { tool: bash, args: { command: "echo a,b | cut -d, -f2" } }\n    - say: done\n';
    mkdirSync(join(user, ".agents"), { recursive: true });
    writeFileSync(join(user, "shell.yaml"), script);
    writeFileSync(
      join(user, ".agents/typist.yaml"),
      "name: typist\nbackend: mock\nmodel: shell.yaml\ntools: [bash]\nprompt: { system: Type. }\n",
    );
    const { status, stdout } = run([join(installed, "bin/agent-worker.js"), "run", "typist", "go", "-v", "--trust"]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^ +b$|bash.*: b$/m) });
  });

  it("[begin.package] brings four providers, the guides, the teams and the schemas, and no package for them", () => {
    const { stdout } = run([join(installed, "bin/agent-worker.js"), "providers", "--json"]);
    const { providers } = JSON.parse(stdout) as { providers: { name: string; installed: boolean }[] };
    const there = providers.filter((each) => each.installed).map(({ name }) => name);
    expect(there).toEqual(["anthropic", "openai", "google", "gateway", "openai-compatible"]);
    expect(run([join(installed, "bin/agent-worker.js"), "help", "workflows"]).stdout).toMatch(/^Workflows/);
    expect(run([join(installed, "bin/agent-worker.js"), "init", "new", "--team", "review", "-b", "mock"]).status).toBe(
      0,
    );
    expect(readdirSync(join(installed, "dist/schemas")).toSorted()).toEqual([
      "agent.json",
      "project.json",
      "workflow.json",
    ]);
    expect(description).toMatchObject({ repository: {}, homepage: /^https:/, bugs: /^https:/ });
  });

  it("[begin.package] asks a model through the provider it brings", async () => {
    await using model = await startFakeModelServer(() => ({ text: "From the bundle." }));
    writeFileSync(
      join(user, ".agents/ann.yaml"),
      `name: ann\nmodel: fake\nprovider: { name: openai-compatible, base_url: "${model.url}/v1" }\nprompt: { system: Help. }\n`,
    );
    const args = [join(installed, "bin/agent-worker.js"), "send", "ann", "hi", "--wait", "--trust"];
    const ended = once(spawn(process.execPath, args, { cwd: user, env: environment(), stdio: "pipe" }), "close");
    expect(await ended).toEqual([0, null]);
    expect(model.requests).toHaveLength(1);
  });

  it("[ui.served] serves the web page it holds", async () => {
    const { status, stdout } = run([join(installed, "bin/agent-worker.js"), "ui", "--no-open", "--json"]);
    expect(status).toBe(0);
    const { url } = JSON.parse(stdout) as { url: string };
    const page = await (await fetch(url)).text();
    const [script = ""] = /\/ui\/app-\w+\.js/.exec(page) ?? [];
    expect((await fetch(new URL(script, url))).status).toBe(200);
  });

  it("[docs.package] opens a daemon and a client inside another program, from its four entry points, with types", () => {
    writeFileSync(join(user, "program.ts"), PROGRAM);
    expect(run(["program.ts"])).toMatchObject({ status: 0, stdout: "alice: It is done.\n" });
    const checked = run([join(repository, "node_modules/typescript/bin/tsc"), ...STRICT, "program.ts"]);
    expect(checked).toMatchObject({ status: 0, stdout: "" });
  });

  it("[docs.examples-run] runs the programs of the library guide and of the README", { timeout: 120_000 }, () => {
    const programs: string[] = [];
    for (const { kind, file = "unnamed.js", text } of LIBRARY_PAGES.flatMap(documentBlocks)) {
      if (kind !== "js" && kind !== "yaml") continue;
      mkdirSync(dirname(join(user, file)), { recursive: true });
      writeFileSync(join(user, file), text);
      if (kind === "js") programs.push(file);
    }
    const ended = programs.map((file) => {
      const { status, stdout, stderr } = run([file]);
      return { file, status, stdout, stderr };
    });
    expect(ended).toEqual([
      { file: "ask.js", status: 0, stdout: expect.stringContaining('"hello".\n1\n'), stderr: "" },
      { file: "inside.js", status: 0, stdout: "ready\n", stderr: "" },
      { file: "gate.js", status: 0, stdout: "42\n", stderr: "" },
      { file: "team.js", status: 0, stdout: "It is done.\n", stderr: "" },
      { file: "unnamed.js", status: 0, stdout: "", stderr: "" },
    ]);
  });

  it("[docs.examples-run] runs the example of a team under test", { timeout: 120_000 }, () => {
    cpSync(join(installed, "examples/tested-team"), join(user, "tested-team"), { recursive: true });
    const { status, stdout } = run(["--test", "tested-team/team.test.js"]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("pass 2") });
  });
});

const LIBRARY_PAGES = ["docs/guides/library.md", "README.md"];
const STRICT =
  "--noEmit --strict --module nodenext --target es2024 --lib es2025,esnext.disposable --types node --skipLibCheck".split(
    " ",
  );

const PROGRAM = `
import { openDaemon, createClient } from "agent-worker";
import { createClient as sameClient } from "agent-worker/client";
import { messageView } from "agent-worker/contract";
import { openTestTeam } from "agent-worker/testing";

await using team = await openTestTeam({
  files: { ".agents/alice.yaml": "name: alice\\nbackend: mock\\nprompt: { system: Help. }\\n" },
  script: ({ inbox }) => (inbox.includes("please") ? "It is done." : "What?"),
});
const answer = await team.client.serve({ agent: "alice", message: "please do it" });
if (!answer.ok || typeof openDaemon !== "function" || createClient.name !== sameClient.name) throw new Error("no answer");
const said = await team.client.call("peek-channel", { target: "alice" });
if (!said.ok) throw new Error(said.error.message);
const last = messageView.parse(said.value.messages.at(-1));
process.stdout.write(\`\${last.from}: \${last.content}\\n\`);
`;
