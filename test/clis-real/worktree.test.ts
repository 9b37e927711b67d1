import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { OFFLINE } from "../support/daemon/loopback-only.ts";
import type { FakeReply, RecordedRequest } from "../support/engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../support/engine/fake-model-server/server.ts";
import { CLIS } from "../support/engine/real-cli.ts";
import { makeRepository } from "../support/repository/git-repository.ts";

const CHANGED = "one\nTWO\nthree\n";

/** Reads the file where the program says it works, then writes it there. */
function coder({ system, messages }: RecordedRequest): FakeReply {
  const all = JSON.stringify(messages);
  if (!`${system}${all}`.includes("SIGN-OF-CODER")) return { text: "A title" };
  const [, cwd = "nowhere"] = /[Ww]orking directory: ([^\s"\\]+)/.exec(`${system}\n${all}`) ?? [];
  const path = join(cwd, "src/a.txt");
  if (all.includes('"name":"Write"')) return { text: "I changed src/a.txt." };
  if (all.includes('"name":"Read"')) {
    return { toolCalls: [{ name: "Write", args: { file_path: path, content: CHANGED } }] };
  }
  return { toolCalls: [{ name: "Read", args: { file_path: path } }] };
}

describe.skipIf(CLIS === undefined)("an agent on the real Claude Code with a worktree", () => {
  it("[repository.worktree-engines] works on its branch and commits by its name; diff, apply and discard do the rest", async () => {
    await using models = await startFakeModelServer(coder);
    const agent = (name: string, worktree: string): string =>
      `name: ${name}\nbackend: claude\nmodel: claude-sonnet-5-5\nprovider: { name: anthropic, base_url: "${models.url}", api_key: $TEST_KEY }\nworktree: ${worktree}\npermissions: { allow: ["write_file(src/**)"] }\nprompt: { system: SIGN-OF-CODER }\n`;
    await using daemon = await startCommandedDaemon({
      files: {
        "src/a.txt": "one\ntwo\nthree\n",
        ".agents/cody.yaml": agent("cody", "true"),
        ".agents/bran.yaml": agent("bran", "fix/two"),
        ".workflows/fix.yaml": 'agents: { cody: { ref: cody } }\nkickoff: "@cody please."\n',
        ".agents/virt.yaml": agent("virt", "true").replace("permissions: {", "permissions: { mode: project,"),
      },
      env: {
        ...OFFLINE,
        TEST_KEY: "sk-test-0123456789abcdef",
        PATH: `${join(CLIS ?? "", "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
      },
    });
    const git = makeRepository(daemon.project);
    const text = (): string => readFileSync(join(daemon.project, "src/a.txt"), "utf8");

    const ran = await daemon.run(["run", "fix"]);
    expect(ran, ran.err).toMatchObject({ exit: 0 });
    expect(`${ran.out}${ran.err}`).toContain("agent-worker/fix/main/cody: 1 file changed, +1 -1");
    expect(text()).toBe("one\ntwo\nthree\n");
    expect(git("log", "--format=%an|%s", "main..agent-worker/fix/main/cody")).toBe("cody|I changed src/a.txt.");
    expect((await daemon.run(["diff", "cody@fix"])).out).toMatch(/^-two\n\+TWO$/m);

    const named = await daemon.run(["send", "bran", "please", "--wait"]);
    expect(named, named.err).toMatchObject({ exit: 0 });
    expect(git("log", "-1", "--format=%an", "fix/two")).toBe("bran");
    expect(await daemon.run(["discard", "bran", "--yes"])).toMatchObject({ exit: 0 });
    expect(git("branch", "--list", "fix/two")).toBe("");

    expect(await daemon.run(["apply", "cody@fix"])).toMatchObject({ exit: 0 });
    expect(text()).toBe(CHANGED);
    expect(git("log", "-1", "--format=%an", "--", "src/a.txt")).toBe("cody");
    expect(existsSync(join(daemon.project, ".claude"))).toBe(false);

    const refused = await daemon.run(["send", "virt", "please", "--wait"]);
    expect(refused.exit).toBe(1);
    expect(`${refused.out}${refused.err}`).toMatch(/mode: project.*claude has a shell and file tools of its own/s);
  }, 240_000);
});

describe.skipIf(CLIS === undefined)("agents on the real OpenCode and Codex in one worktree", () => {
  it("[repository.worktree-engines] share the branch of their workspace, and each commits by its name", async () => {
    await using models = await startFakeModelServer(({ system, messages, tools }) => {
      const all = `${system}\n${JSON.stringify(messages)}`;
      const name = ["olive", "coda"].find((each) => all.includes(`SIGN-OF-${each.toUpperCase()}`));
      if (name === undefined) return { text: "A title" };
      if (all.includes(`made-by-${name}`)) return { text: name === "olive" ? "@coda your turn." : "All done." };
      const command = `printf made-by-${name} > ${name}.txt`;
      const shell = tools.find((tool) => ["bash", "shell_command", "exec_command", "shell"].includes(tool.name))?.name;
      if (shell === "exec_command") return { toolCalls: [{ name: shell, args: { cmd: command } }] };
      if (shell === "shell") return { toolCalls: [{ name: shell, args: { command: ["sh", "-c", command] } }] };
      return { toolCalls: [{ name: shell ?? "bash", args: { command, description: "x" } }] };
    });
    const provider = `provider: { name: loopback, base_url: "${models.url}/v1", api_key: $TEST_KEY }`;
    await using daemon = await startCommandedDaemon({
      files: {
        "a.txt": "a\n",
        ".agents/olive.yaml": `name: olive\nbackend: opencode\nmodel: fake-1\n${provider}\npermissions: { allow: ["bash(printf *)"] }\nprompt: { system: SIGN-OF-OLIVE }\n`,
        ".agents/coda.yaml": `name: coda\nbackend: codex\nmodel: gpt-5.2\n${provider}\npermissions: { mode: host, allow: ["*"] }\nprompt: { system: SIGN-OF-CODA }\n`,
        ".workflows/both.yaml":
          'worktree: true\nagents: { olive: { ref: olive }, coda: { ref: coda } }\nkickoff: "@olive please."\n',
      },
      env: {
        ...OFFLINE,
        TEST_KEY: "sk-test-0123456789abcdef",
        PATH: `${join(CLIS ?? "", "node_modules/.bin")}:${process.env["PATH"] ?? ""}`,
      },
    });
    const git = makeRepository(daemon.project);
    const ran = await daemon.run(["run", "both"]);
    expect(ran, `${ran.out}${ran.err}`).toMatchObject({ exit: 0 });
    expect(git("log", "--reverse", "--format=%an", "main..agent-worker/both/main")).toBe("olive\ncoda");
    expect(git("show", "agent-worker/both/main:coda.txt")).toBe("made-by-coda");
    expect(git("status", "--porcelain", "--untracked-files=all", "--", "*.txt")).toBe("");
  }, 240_000);
});
