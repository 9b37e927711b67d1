import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { makeRepository } from "../../support/repository/git-repository.ts";

describe("an agent on a model API with the shell of this machine", () => {
  it("[repository.worktree-engines] works in its worktree, also with a branch that it names, and not in the project", async () => {
    await using model = await startFakeModelServer(({ messages }) => {
      const all = JSON.stringify(messages);
      const done = all.match(/"role":"tool"/g)?.length ?? 0;
      if (done === 0) return { toolCalls: [{ name: "bash", args: { command: "git branch --show-current && pwd" } }] };
      if (done === 1)
        return {
          toolCalls: [
            { name: "bash", args: { command: "printf 'TWO\\n' > src/a.txt && mkdir -p new && printf n > new/n.txt" } },
          ],
        };
      return { text: `I am in ${/worktrees\/[^"\\]+/.exec(all)?.[0] ?? "the project"}.` };
    });
    const agent = (name: string, more: string): string =>
      `name: ${name}\nmodel: fake\nprovider: { name: openai-compatible, base_url: "${model.url}/v1" }\n${more}prompt: { system: Work. }\n`;
    await using daemon = await startCommandedDaemon({
      files: {
        "src/a.txt": "two\n",
        ".agents/hank.yaml": agent("hank", 'worktree: true\npermissions: { mode: host, allow: ["bash(*)"] }\n'),
        ".agents/nora.yaml": agent("nora", 'worktree: work/nora\npermissions: { mode: host, allow: ["bash(*)"] }\n'),
        ".agents/vera.yaml": agent("vera", "worktree: true\n"),
      },
    });
    const git = makeRepository(daemon.project);
    for (const [name, branch] of [
      ["hank", "agent-worker/global/hank"],
      ["nora", "work/nora"],
    ] as const) {
      const answer = await daemon.run(["send", name, "go", "--wait"]);
      expect(answer, answer.err).toMatchObject({ exit: 0, out: expect.stringContaining(`worktrees/${name}@global`) });
      expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(branch);
      expect(git("log", "--format=%an", `main..${branch}`)).toBe(name);
      expect(git("show", `${branch}:new/n.txt`)).toBe("n");
    }
    expect(readFileSync(join(daemon.project, "src/a.txt"), "utf8")).toBe("two\n");
    expect(git("status", "--porcelain", "--untracked-files=all", "--", "src", "new")).toBe("");
    expect(await daemon.json(["diff", "hank"])).toMatchObject({ filesChanged: 2 });
    expect(await daemon.run(["discard", "hank", "--yes"])).toMatchObject({ exit: 0 });
    expect(await daemon.run(["apply", "nora"])).toMatchObject({ exit: 0 });
    expect(readFileSync(join(daemon.project, "src/a.txt"), "utf8")).toBe("TWO\n");
    expect(git("log", "-1", "--format=%an", "--", "src/a.txt")).toBe("nora");
    const refused = await daemon.run(["send", "vera", "go", "--wait"]);
    expect(`${refused.out}${refused.err}`).toMatch(/its shell is virtual and writes no file.*mode: project/s);
  }, 120_000);
});
