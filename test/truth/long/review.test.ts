import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandFolder } from "../../support/daemon/installed-command.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import type { FakeReply } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer, type FakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { makeRepository, type PersonsGit } from "../../support/repository/git-repository.ts";

const FINDING = "- **high** `src/sum.ts:2`: the last item is left out, so every sum is too small. Use `<=`.";
const REVIEW = `It sums a list.\n\n## Findings\n${FINDING}\n\nFindings: 1\n`;
const CLEAN = "It sums a list.\n\n## Findings\nNone.\n\nFindings: 0\n";

let models: FakeModelServer;
let daemon: CommandedDaemon;
let git: PersonsGit;
let review = REVIEW;
let writes = true;
beforeAll(async () => {
  models = await startFakeModelServer(({ system, messages }): FakeReply => {
    const done = JSON.stringify(messages);
    if (system?.includes("You check the review") === true) return { text: "It stays." };
    if (!done.includes("diff.patch, revision"))
      return { toolCalls: [{ name: "team_doc_read", args: { file: "diff.patch" } }] };
    if (!writes) return { text: review };
    if (!done.includes('"name":"team_doc_write"')) {
      return { toolCalls: [{ name: "team_doc_write", args: { file: "review.md", content: review } }] };
    }
    return { text: "@checker 1 finding" };
  });
  daemon = await startCommandedDaemon({
    files: {
      "moniro.yaml": `defaults:\n  model: fake-model\n  provider: { name: anthropic, base_url: "${models.url}/v1", api_key: $FAKE_KEY }\n`,
      "src/sum.ts": "export const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);\n",
    },
    env: { FAKE_KEY: "sk-test-0123456789abcdef" },
  });
  git = makeRepository(daemon.project);
  git("checkout", "-q", "-b", "feature/sum");
  daemon.write(
    "src/sum.ts",
    "export function sum(list: number[]) {\n  for (let i = 0; i < list.length - 1; i++) total += list[i];\n}\n",
  );
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});

describe("agent-worker review", () => {
  it("[repository.review] ends with the findings in the terminal, a document and exit code 1", async () => {
    const answer = await daemon.run(["review"]);
    expect(answer.out).toBe(REVIEW);
    expect(answer.err).toMatch(/1 finding\..*agent-worker doc read @branch-review:feature-sum review\.md/s);
    expect(answer.exit).toBe(1);
    expect((await daemon.run(["doc", "read", "@branch-review:feature-sum", "review.md"])).out).toContain(FINDING);
    // What is not committed is part of it, and it is given as a document, never as an instruction.
    expect(JSON.stringify(models.requests.map(({ messages }) => messages))).toContain("list.length - 1");
    expect(JSON.stringify(models.requests.map(({ system }) => system))).not.toContain("list.length - 1");
    expect(git("status", "--porcelain")).toBe("M src/sum.ts");
  });

  it("[repository.review-exit] says by its exit code that nothing was found, that nothing changed, or that there is no review", async () => {
    review = CLEAN;
    expect(await daemon.run(["review", "--base", "main"])).toMatchObject({ exit: 0, out: CLEAN });
    expect(await daemon.json(["review"])).toMatchObject({ findings: 0, branch: "feature/sum", base: "main" });
    expect(await daemon.run(["review", "main", "--base", "main"])).toMatchObject({
      exit: 0,
      out: "main changes nothing compared with main.\n",
    });
    // Said in the channel instead of the document.
    writes = false;
    review = REVIEW;
    expect(await daemon.run(["review"])).toMatchObject({ exit: 1, out: REVIEW });
    review = "I could not read it.";
    expect(await daemon.run(["review"])).toMatchObject({ exit: 5, out: "" });
    expect((await daemon.run(["review", "nowhere"])).err).toContain('There is no branch "nowhere"');
    expect(await daemon.run(["review", "nowhere"])).toMatchObject({ exit: 3 });
    const pullRequest = await daemon.run(["review", "12"], { env: { PATH: join(process.execPath, "..") } });
    expect(pullRequest.exit).toBe(3);
    expect(pullRequest.err).toMatch(/gh.*not installed.*git fetch origin pull\/12\/head:pr-12/s);
  });

  it("[repository.review-exit] never says by 1 that something went wrong with the review itself", async () => {
    const teams = join(daemon.home, "teams");
    renameSync(teams, `${teams}.aside`);
    writeFileSync(teams, "in the way");
    const failed = await daemon.run(["review"]).finally(() => {
      rmSync(teams);
      renameSync(`${teams}.aside`, teams);
    });
    expect(failed).toMatchObject({ exit: 5, out: "" });
    expect(failed.err).toContain(teams);
    expect(failed.err).not.toContain("inside agent-worker");
  });

  it("[repository.review] sees a change of the same length in the second of the commit", async () => {
    git("checkout", "-q", "-b", "feature/quick");
    git("config", "core.trustctime", "false");
    const second = 1_700_000_000;
    const at = (file: string): void => utimesSync(join(daemon.project, file), second, second);
    daemon.write("src/quick.ts", "export const a = 1;\n");
    at("src/quick.ts");
    git("add", "src/quick.ts");
    git("commit", "-q", "-m", "quick");
    daemon.write("src/quick.ts", "export const a = 2;\n");
    at("src/quick.ts");
    at(".git/index");
    writes = true;
    review = REVIEW;
    expect(await daemon.run(["review", "--base", "feature/quick"])).toMatchObject({ exit: 1, out: REVIEW });
    git("checkout", "-q", "--", "src/quick.ts");
    git("checkout", "-q", "feature/sum");
  });

  it("[repository.review] uses the project file as it is now", async () => {
    const before = readFileSync(join(daemon.project, "moniro.yaml"), "utf8");
    writes = true;
    review = REVIEW;
    expect(await daemon.run(["review"])).toMatchObject({ exit: 1 });
    daemon.write("moniro.yaml", before.replace("fake-model", "other-model"));
    expect(await daemon.run(["review"])).toMatchObject({ exit: 1 });
    expect(models.requests.at(-1)?.body).toMatchObject({ model: "other-model" });
    daemon.write("moniro.yaml", before);
  });

  it("[repository.review-missing] says what is missing where no engine is ready, and that there is no repository", async () => {
    using folder = commandFolder({ "a.txt": "a\n", "outside/b.txt": "b\n" });
    const env = {
      AGENT_WORKER_HOME: folder.in("home"),
      AGENT_WORKER_PORT: "0",
      PATH: `${join(process.execPath, "..")}:/usr/bin:/bin`,
    };
    try {
      expect(await folder.run(["review"], { env })).toMatchObject({ exit: 3 });
      const own = makeRepository(folder.path);
      own("checkout", "-q", "-b", "change");
      writeFileSync(folder.in("a.txt"), "b\n");
      const answer = await folder.run(["review"], { env });
      expect(answer.exit).toBe(3);
      expect(answer.err).toMatch(/none is ready.*claude: Install it with.*npm install -g @anthropic-ai\/claude-code/s);
      expect(answer.err).toContain("  a key: agent-worker login anthropic ");
      // What was typed is named, never the file that is made of it.
      const wrong = await folder.run(["review", "--model", "wrong/x"], { env });
      expect(wrong).toMatchObject({ exit: 2, out: "" });
      expect(wrong.err).toMatch(/^Error: --model wrong\/x: There is no provider "wrong"\./);
      expect(wrong.err).not.toContain("branch-review");
      const keyless = await folder.run(["review", "--model", "anthropic/auto"], { env });
      expect(keyless.exit).toBe(3);
      expect(keyless.err).toBe("Error: There is no key of anthropic yet.\nType: agent-worker login anthropic\n");
    } finally {
      await folder.run(["daemon", "stop"], { env });
    }
  });

  it("reads a pull request with gh", async () => {
    writes = true;
    review = REVIEW;
    const bin = join(daemon.home, "bin");
    mkdirSync(bin, { recursive: true });
    const patch = "diff --git a/x b/x\\n--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-a\\n+CUCUMBER\\n";
    writeFileSync(
      join(bin, "gh"),
      `#!/bin/sh\nif [ "$2" = view ]; then echo '{"headRefName":"x","baseRefName":"main"}'; else printf '${patch}'; fi\n`,
      { mode: 0o755 },
    );
    const answer = await daemon.run(["review", "#12"], { env: { PATH: `${bin}:${process.env["PATH"] ?? ""}` } });
    expect(answer).toMatchObject({ exit: 1, out: REVIEW });
    expect(JSON.stringify(models.requests.at(-2)?.messages ?? "")).toBeDefined();
    expect(models.requests.some(({ messages }) => JSON.stringify(messages).includes("CUCUMBER"))).toBe(true);
    expect(readFileSync(join(daemon.project, "src/sum.ts"), "utf8")).toContain("length - 1");
  });
});
