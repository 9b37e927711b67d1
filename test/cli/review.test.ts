import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReview } from "../../src/cli/commands/git/review-result.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { hasTerminals, startInTerminal } from "../support/daemon/terminal-command.ts";
import type { FakeReply } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { makeRepository, type PersonsGit } from "../support/repository/git-repository.ts";
import { eventually } from "../support/team/running-project.ts";

const CLEAN = "It changes a letter.\n\n## Findings\nNone.\n\nFindings: 0\n";

let models: FakeModelServer;
let daemon: CommandedDaemon;
let git: PersonsGit;
let isSilent = false;
let env: Record<string, string>;
beforeAll(async () => {
  models = await startFakeModelServer(
    ({ system, messages }): FakeReply => {
      if (isSilent) return { silence: "headers" };
      if (system?.includes("You check the review") === true) return { text: "0 findings." };
      if (JSON.stringify(messages).includes('"name":"team_doc_write"')) return { text: "@checker 0 findings" };
      return { toolCalls: [{ name: "team_doc_write", args: { file: "review.md", content: CLEAN } }] };
    },
    0,
    ["qwen3:8b"],
  );
  env = { PATH: `${process.execPath.replace(/\/[^/]*$/, "")}:/usr/bin:/bin` };
  daemon = await startCommandedDaemon({ files: { "a.txt": "a\n" } });
  git = makeRepository(daemon.project);
  git("checkout", "-q", "-b", "feat");
  daemon.write("a.txt", "b\n");
  git("commit", "-q", "-a", "-m", "change");
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

const ollama = () => ({ ...env, OLLAMA_HOST: models.url.replace("http://", "") });

describe("agent-worker review", () => {
  it("[begin.local] [repository.review] runs on a model of this machine, as init does, or on a server that is named", async () => {
    const reviewed = await daemon.run(["review"], { env: ollama() });
    expect(reviewed, reviewed.err).toMatchObject({ exit: 0, out: CLEAN });
    expect(models.requests.at(-1)?.body).toMatchObject({ model: "qwen3:8b" });

    const unnamed = await daemon.run(["review", "--model", "openai-compatible/own"], { env });
    expect(unnamed).toMatchObject({ exit: 2, err: expect.stringContaining("--base-url URL") });
    expect((await daemon.run(["review", "--base-url", "http://127.0.0.1:1/v1"], { env })).exit).toBe(2);
    const own = ["review", "--model", "openai-compatible/own", "--base-url", `${models.url}/v1`];
    expect(await daemon.run(own, { env })).toMatchObject({ exit: 0, out: CLEAN });
    expect(models.requests.at(-1)?.body).toMatchObject({ model: "own" });
  });

  it.each(["müller", "dependabot/npm/@types/node-20"])(
    "[repository.review] takes the name of a branch as git does, and nobody is mentioned by it: %s",
    async (branch) => {
      git("branch", branch);
      const reviewed = await daemon.run(["review", branch], { env: ollama() });
      expect(reviewed, reviewed.err).toMatchObject({ exit: 0, out: CLEAN });
      expect(reviewed.err).not.toContain("Nobody here");
    },
  );

  it("[repository.review-interrupted] says after Ctrl-C how to follow and how to stop it; so does a second review meanwhile", async () => {
    isSilent = true;
    await using running = startInstalled(["review", "feat"], {
      cwd: daemon.project,
      env: { ...daemon.env, ...ollama() },
    });
    await models.received(models.requests.length + 1);
    const again = await daemon.run(["review", "feat"], { env: ollama() });
    expect(again).toMatchObject({ exit: 3, out: "" });
    expect(again.err).toContain("A review of feat is running already.\n");
    expect(again.err).toContain("agent-worker stop @branch-review:feat\n");
    expect(again.err).not.toContain("--tag");
    const left = await running.interrupt();
    expect(left.exit).toBe(130);
    expect(left.err).toContain("Follow it with: agent-worker peek @branch-review:feat --follow\n");
    expect(left.err).toContain("Stop it with: agent-worker stop @branch-review:feat\n");
    const bare = await daemon.run(["stop", "branch-review"]);
    expect(bare).toMatchObject({ exit: 3, err: expect.stringContaining("agent-worker stop @branch-review:feat") });
    expect(await daemon.run(["stop", "@branch-review:feat"])).toMatchObject({ exit: 0 });
  });

  it.runIf(hasTerminals)("[repository.review-interrupted] is stopped by a second Ctrl-C at a terminal", async () => {
    isSilent = true;
    const count = models.requests.length;
    const command = startInTerminal(["review", "feat"], { cwd: daemon.project, env: { ...daemon.env, ...ollama() } });
    await models.received(count + 1);
    command.press("\x03");
    await eventually("it says how", () => command.shown().includes("or Ctrl-C once more"));
    command.press("\x03");
    await command.ended;
    expect(command.shown()).toContain("Stopped @branch-review:feat.");
    expect(await daemon.json(["ls"])).toMatchObject({ workspaces: [] });
  });
});

it.each([
  ["headings", "## Findings\n### high: a.txt:2\nWrong.\n\nFindings: 0\n", 1],
  ["a table", "| Level | Place |\n|---|---|\n| **high** | `a.txt:2` |\n| low | b.ts:1 |\n\nFindings: 0\n", 2],
  ["levels as headings", "## Findings\n### High\n- `src/a.ts:2`: wrong\n\nFindings: 0\n", 1],
  ["bold lines", "**high** `a.ts:3`: wrong\n\nFindings: 0\n", 1],
  ["numbered headings", "### 1. [HIGH] Anybody may log in\n\nFindings: 0\n", 1],
  ["headings without findings", "## Findings\n### High\nNone.\n### Low\nNone.\n\nFindings: 0\n", 0],
  ["prose", "Low risk: it renames `a.ts`.\n\n## Findings\nNone.\n\nFindings: 0\n", 0],
])("[repository.review-exit] counts findings that are written as %s, whatever the last line says", (_, text, count) => {
  expect(readReview(text)).toEqual({ findings: count });
});
