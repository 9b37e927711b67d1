import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInstalled } from "../support/daemon/installed-command.ts";
import { OFFLINE } from "../support/daemon/loopback-only.ts";
import type { FakeReply, RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { CLIS } from "../support/engine/real-cli.ts";
import { makeRepository } from "../support/repository/git-repository.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PLANTED = "for (let i = 0; i < list.length - 1; i++)";
const REVIEW = `It sums a list.

## Findings
- **high** \`src/sum.ts:3\`: the loop ends one item too early, so the last item is never added. Use \`i < list.length\`.

Findings: 1
`;

const call = (tool: string, args: unknown) => ({ name: `mcp__agent-worker__${tool}`, args });

/** Finds the bug only if the diff really reached it. */
function reviewers({ system, messages }: RecordedRequest): FakeReply {
  const all = JSON.stringify(messages);
  if (system?.includes("You check the review") === true) {
    if (!all.includes("Findings: 1")) return { toolCalls: [call("team_doc_read", { file: "review.md" })] };
    return { text: "1 finding stays." };
  }
  if (system?.includes("You review a change") !== true) return { text: "A title" };
  if (all.includes('"name":"mcp__agent-worker__team_doc_write"')) return { text: "@checker 1 finding" };
  if (!all.includes('"name":"mcp__agent-worker__team_doc_read"')) {
    return { toolCalls: [call("team_doc_read", { file: "diff.patch" })] };
  }
  const found = all.includes(PLANTED);
  return { toolCalls: [call("team_doc_write", { file: "review.md", content: found ? REVIEW : "Findings: 0\n" })] };
}

describe.skipIf(CLIS === undefined)("a repository, and a machine with nothing but Claude Code", () => {
  it("[repository.review-claude] is reviewed by one command: the planted bug is in the terminal", async () => {
    await using models = await startFakeModelServer(reviewers);
    using folder = temporaryFolder();
    const project = folder.in("shop");
    mkdirSync(join(project, "src"), { recursive: true });
    writeFileSync(
      join(project, "src/sum.ts"),
      "export const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);\n",
    );
    const git = makeRepository(project);
    git("checkout", "-q", "-b", "faster-sum");
    writeFileSync(
      join(project, "src/sum.ts"),
      `export function sum(list: number[]) {\n  let total = 0;\n  ${PLANTED} total += list[i] ?? 0;\n  return total;\n}\n`,
    );
    git("commit", "-q", "-a", "-m", "Make it faster");
    mkdirSync(folder.in("home"));
    const env = {
      ...OFFLINE,
      HOME: folder.in("home"),
      AGENT_WORKER_HOME: folder.in("home/.agent-worker"),
      AGENT_WORKER_PORT: "0",
      PATH: `${join(CLIS ?? "", "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
      ANTHROPIC_BASE_URL: models.url,
      ANTHROPIC_API_KEY: "sk-test-0123456789abcdef",
    };
    try {
      const begun = performance.now();
      const answer = await runInstalled(["review"], { cwd: project, env });
      expect(answer.out, answer.err).toBe(REVIEW);
      expect(answer.exit).toBe(1);
      console.log(`review by the real Claude Code, from nothing: ${Math.round(performance.now() - begun)} ms`);
      expect(git("status", "--porcelain")).toBe("");
      expect(existsSync(join(project, ".workspace/.gitignore"))).toBe(true);
      // The team could change nothing: it has no rule that allows it.
      const tools = new Set(models.requests.flatMap((request) => request.tools.map(({ name }) => name)));
      expect([...tools]).toContain("mcp__agent-worker__team_doc_write");
    } finally {
      await runInstalled(["daemon", "stop"], { cwd: project, env });
    }
  }, 240_000);
});
