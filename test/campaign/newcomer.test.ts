import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FakeReply, RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { packIn } from "../support/packed-package.ts";
import { makeRepository, type PersonsGit } from "../support/repository/git-repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bareMachine } from "../support/terminal/bare-machine.ts";
import { answer } from "../support/terminal/answer.ts";
import { openPty, terminalInstalled, type PtyScreen } from "../support/terminal/pty-screen.ts";

/**
 * The first minutes of somebody who has a repository, a package file and a key, and nothing else: one shell in a real
 * pseudo-terminal, an empty home, and only plain programs on the PATH. Each step goes on from the screen of the last one.
 */
const KEY = "sk-ant-test-0123456789abcdefghij";
const RIGHT = "export const sum = (list) => list.reduce((a, b) => a + b, 0);\n";
const WRONG = "export const sum = (list) => list.slice(1).reduce((a, b) => a + b, 0);\n";
const PATIENT = { timeout: 240_000 };

/** Finds the bug only if the diff really reached it, and corrects it only when it is asked to. */
function model({ system, messages }: RecordedRequest): FakeReply {
  const said = JSON.stringify(messages);
  const isDone = said.includes('"tool_result"');
  if (system.includes("You review changes")) {
    if (!said.includes("slice(1)")) return { text: "I see no change." };
    if (isDone) return { text: "`sum.js:1` leaves the first item out: sum([1, 2]) is 2." };
    return {
      toolCalls: [{ name: "team_doc_write", args: { file: "review.md", content: "sum.js:1 leaves one out\n" } }],
    };
  }
  if (isDone) return { text: "I corrected sum.js." };
  return { toolCalls: [{ name: "write_file", args: { path: "sum.js", content: RIGHT } }] };
}

describe.skipIf(!terminalInstalled)("a newcomer at a terminal", () => {
  const folder = temporaryFolder();
  const shop = folder.in("home/shop");
  let server: FakeModelServer;
  let git: PersonsGit;
  let shell: PtyScreen;
  let tarball = "";
  let begun = 0;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    tarball = packIn(folder.path);
    server = await startFakeModelServer(model);
    mkdirSync(shop, { recursive: true });
    symlinkSync(tarball, folder.in(`home/${basename(tarball)}`));
    writeFileSync(join(shop, "sum.js"), RIGHT);
    git = makeRepository(shop);
    git("checkout", "-q", "-b", "faster");
    writeFileSync(join(shop, "sum.js"), WRONG);
    git("commit", "-q", "-a", "-m", "Make it faster");
    env = {
      ...installerSettings(),
      HOME: folder.in("home"),
      PATH: `${folder.in("prefix/bin")}:${bareMachine(folder.path)}`,
      PS1: "$ ",
      ANTHROPIC_BASE_URL: server.url,
      AGENT_WORKER_PORT: "0",
      npm_config_prefix: folder.in("prefix"),
    };
    shell = openPty(["--norc", "--noprofile"], {
      program: "/bin/bash",
      cwd: folder.in("home"),
      columns: 100,
      rows: 40,
      env,
    });
    await shell.shows("$ ");
  }, 240_000);
  afterAll(async () => {
    await shell[Symbol.asyncDispose]();
    spawnSync(folder.in("prefix/bin/agent-worker"), ["daemon", "stop"], { env });
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  }, 60_000);

  // Each step begins on the screen of the one before.
  let isLost = false;
  beforeEach(({ skip }) => skip(isLost, "an earlier step failed"));
  afterEach(({ task }) => {
    isLost ||= task.result?.state === "fail";
  });

  /** Types a line on a clear screen. */
  const type = (line: string): void => shell.press(`\u000c${line}\r`);
  /** Waits until the shell asks for the next line. */
  const prompts = (): Promise<void> => shell.shows(/^\$ *$/m);

  it("installs the package file [begin.newcomer]", PATIENT, async () => {
    begun = performance.now();
    type(`npm install -g ./${basename(tarball)}`);
    await shell.shows(/^added \d+ packages? in/m);
    await prompts();
    expect(shell.text()).not.toMatch(/npm (warn|error)/i);
  });

  it(
    "makes a team in a conversation that says what is there and what is missing [begin.newcomer]",
    PATIENT,
    async () => {
      type("cd shop && agent-worker init --team review");
      await shell.shows("A new team in");
      await shell.shows("claude: not installed");
      await shell.shows("keys: none");
      await shell.shows("claude: Install it with: npm install -g @anthropic-ai/claude-code");
      await shell.shows("What should it run on?");
      expect(shell.text()).not.toContain("Which team");
      shell.press("\u001b[B\r");
      await shell.shows("Of which provider?");
      shell.press("\r");
      await shell.shows("The key of anthropic");
      shell.press(`${KEY}\r`);
      await shell.shows("made  .agents/coder.yaml");
      await shell.shows("The team runs on anthropic/auto.");
      await shell.shows(/Next:\n {2}agent-worker run review\n/);
      await prompts();
      expect(shell.text()).not.toContain("No engine with a model was found");
      expect(shell.written()).not.toContain(KEY);
      git("add", ".agents", ".workflows", ".gitignore");
      git("commit", "-q", "-m", "A team");
    },
  );

  it("gets the first answer with the line it was told to type [begin.newcomer]", PATIENT, async () => {
    type("agent-worker run review");
    await shell.shows("Starting the daemon...");
    await shell.shows("`sum.js:1` leaves the first item out: sum([1, 2]) is 2.");
    console.log(`newcomer: install to first answer ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    await shell.shows(/Answered in [\d.]+ s\. \d+ tokens/);
    await shell.shows("review.md");
    await prompts();
    expect(server.requests[0]?.headers["x-api-key"]).toBe(KEY);
  });

  it("talks in the chat, and approves an edit where it is shown as a diff [begin.newcomer]", PATIENT, async () => {
    type("agent-worker");
    await shell.shows(/^agent-worker shop +1 coder +2 reviewer/m);
    await shell.shows("Nobody is at work.");
    shell.press("/help\r");
    await shell.shows("decide what waits for you");
    shell.press("\u001b");
    await shell.showsNot("decide what waits for you");
    shell.press("please correct sum.js\r");
    await shell.shows("coder asks to call a tool");
    await shell.shows(/┃ write_file sum\.js \+1 -1\n┃ - export .*slice\(1\).*\n┃ \+ export /);
    await shell.shows("y yes · n no · r until this run ends · a always");
    await shell.shows(/coder waits for you, \d+ s/);
    await answer(shell, "y", "You allowed coder to call write_file.");
    await shell.shows(/coder {2}\d\d:\d\d[^]*I corrected sum\.js\./);
    await shell.shows("Nobody is at work.");
    expect(readFileSync(join(shop, "sum.js"), "utf8")).toBe(WRONG);
    shell.press("\u0004");
    await prompts();
  });

  it("looks at the work and takes it over [begin.newcomer]", PATIENT, async () => {
    type("agent-worker diff");
    await shell.shows("agent-worker/global/coder: 1 file changed, +1 -1");
    await shell.shows(/^-export const sum = .*slice\(1\)/m);
    await shell.shows(/^\+export const sum = \(list\) => list\.reduce/m);
    await shell.shows("agent-worker apply coder");
    await prompts();
    type("agent-worker apply coder");
    await shell.shows(/[Aa]pplied|[Mm]erged/);
    await prompts();
    expect(readFileSync(join(shop, "sum.js"), "utf8")).toBe(RIGHT);
    expect(git("log", "-1", "--format=%an", "--", "sum.js")).toBe("coder");
    expect(git("status", "--porcelain", "--untracked-files=no")).toBe("");
  });

  it("sees what there is, and stops everything [begin.newcomer]", PATIENT, async () => {
    type("agent-worker ls");
    await shell.shows(/^coder +file +idle .*anthropic\/auto/m);
    await prompts();
    type("agent-worker stop --all");
    await prompts();
    type("agent-worker ls");
    await shell.shows("All work is stopped, by stop --all.");
    await prompts();
    expect(shell.text()).toMatch(/^coder +file +stopped/m);
  });
});

/** How this machine reaches the registry of packages. */
function installerSettings(): Record<string, string> {
  const needed = /^(npm_config_(registry|cafile)|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;
  const settings = Object.entries(process.env).filter(([name]) => needed.test(name));
  return Object.fromEntries(settings.map(([name, value]) => [name, value ?? ""]));
}
