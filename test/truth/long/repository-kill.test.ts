import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { makeRepository } from "../../support/repository/git-repository.ts";
import { eventually } from "../../support/team/running-project.ts";

const SCRIPT = `- repeat: true
  steps:
    - call: { tool: write_file, args: { path: "src/a.txt", content: "A\\n" } }
    - call: { tool: write_file, args: { path: "src/b.txt", content: "B\\n" } }
    - say: "Wrote both."
`;
const ROUNDS = 16;

async function answered({ client }: TestDaemon, target: string): Promise<boolean> {
  const shown = await client.call("peek-channel", { target, limit: 50 });
  return shown.ok && shown.value.messages.some(({ content }) => content.includes("Wrote both."));
}

describe("a daemon that is killed while an agent works in a worktree", () => {
  it("[repository.commit-once] leaves one commit with all the work after it is started again, wherever it was killed", async () => {
    let daemon = await startTestDaemon({
      files: {
        "scripts/ann.yaml": SCRIPT,
        "src/keep.txt": "keep\n",
        ".agents/ann.yaml":
          "name: ann\nbackend: mock\nmodel: scripts/ann.yaml\ntools: [write_file]\npermissions: { mode: project }\nworktree: true\nprompt: { system: Work. }\n",
        ".workflows/fix.yaml": "agents: { ann: { ref: ann } }\n",
      },
    });
    try {
      const git = makeRepository(daemon.project);
      const kept = new Set<string>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const [target, branch] = [`@fix:t${round}`, `agent-worker/fix/t${round}/ann`];
        expect(await daemon.client.call("open-workspace", { workflow: "fix", tag: `t${round}` })).toMatchObject({
          ok: true,
        });
        expect(await daemon.client.call("send-message", { to: `ann${target}`, message: "go" })).toMatchObject({
          ok: true,
        });
        // Sooner in the first rounds, later in the last: make the worktree, write, commit, answer.
        await pause(20 * round);
        await daemon.stop("SIGKILL");
        kept.add(
          git("branch", "--list", branch) === "" ? "no branch yet" : git("log", "--format=%an", `main..${branch}`),
        );
        daemon = await daemon.restart();
        await eventually(`the answer of round ${round}`, () => answered(daemon, target), 60_000);
        expect(git("log", "--format=%an|%s", `main..${branch}`), `round ${round}`).toBe("ann|Wrote both.");
        expect(git("ls-tree", "-r", "--name-only", branch)).toMatch(/src\/a\.txt\nsrc\/b\.txt/);
      }
      expect(git("status", "--porcelain")).toBe("");
      // It was killed at different moments.
      expect(kept.size).toBeGreaterThan(1);
    } finally {
      await daemon[Symbol.asyncDispose]();
    }
  }, 400_000);
});
