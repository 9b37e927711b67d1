import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createShellTools } from "../../../src/engines/tools/shell-tools.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
  const files = {
    "src/a.txt": "a\n",
    ".env": "KEY=secret\n",
    "moniro.yaml": "name: x\n",
    ".agents/ann.yaml": "name: ann\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/hooks/pre-commit": "#!/bin/sh\n",
    ".github/workflows/ci.yaml": "on: push\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(folder.in(path)), { recursive: true });
    writeFileSync(folder.in(path), text);
  }
});
afterEach(() => folder[Symbol.dispose]());

const tools = () =>
  createShellTools({
    definition: { permissions: { mode: "project" } },
    personalFolders: { own: null, others: [] },
    projectDir: folder.path,
    clock: systemClock,
    askApproval: async () => ({ approved: false, reason: "nobody is here" }),
  });
const call = async (tool: string, args: object): Promise<{ content: string; isError: boolean }> => {
  await using host = tools();
  const outcome = await host.call({ id: "call_1", tool, args }, new AbortController().signal);
  return outcome.kind === "result" ? outcome : { content: JSON.stringify(outcome), isError: true };
};
const bash = (command: string) => call("bash", { command });

describe("mode: project", () => {
  it("[tools.project-mode] writes files of the project, by the file tool and by the shell, without asking", async () => {
    expect(await call("write_file", { path: "src/new/b.txt", content: "b\n" })).toMatchObject({ isError: false });
    expect(readFileSync(folder.in("src/new/b.txt"), "utf8")).toBe("b\n");
    expect(
      await bash("sed -i 's/a/A/' src/a.txt && mkdir -p out && cp src/a.txt out/c.txt && rm src/new/b.txt"),
    ).toMatchObject({
      isError: false,
    });
    expect(readFileSync(folder.in("src/a.txt"), "utf8")).toBe("A\n");
    expect(readFileSync(folder.in("out/c.txt"), "utf8")).toBe("A\n");
    expect(existsSync(folder.in("src/new/b.txt"))).toBe(false);
    expect((await bash("echo t > /tmp/t && cat /tmp/t")).content).toContain("t");
  });

  it("[tools.project-mode-kept] keeps what is private and what only people write, however it is named", async () => {
    const attempts = [
      "echo x > .git/hooks/pre-commit",
      "echo x > ./src/../.git/HEAD",
      "rm -rf .git",
      "rm -rf .",
      "rm -rf /project",
      "mv .git elsewhere",
      "mv src/a.txt .git/config",
      "cp src/a.txt .agents/eve.yaml",
      "echo x >> moniro.yaml",
      "rm moniro.yaml",
      "echo KEY=mine > .env",
      "rm .env",
      "mv .env env.txt",
      "cat .env",
      "ln -s /etc link && cat link/hosts",
      "ln src/a.txt hard",
      "chmod 777 .git/hooks/pre-commit",
      "tee .github/workflows/ci.yaml < src/a.txt",
      "echo x > /etc/agent-worker-test",
      "echo x > /project/../outside.txt",
    ];
    for (const command of attempts) {
      const { content } = await bash(command);
      expect(content, command).not.toContain("secret");
    }
    expect(readFileSync(folder.in(".git/hooks/pre-commit"), "utf8")).toBe("#!/bin/sh\n");
    expect(readFileSync(folder.in(".git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
    expect(existsSync(folder.in(".git/config"))).toBe(false);
    expect(existsSync(folder.in(".agents/eve.yaml"))).toBe(false);
    expect(readFileSync(folder.in("moniro.yaml"), "utf8")).toBe("name: x\n");
    expect(readFileSync(folder.in(".env"), "utf8")).toBe("KEY=secret\n");
    expect(readFileSync(folder.in(".github/workflows/ci.yaml"), "utf8")).toBe("on: push\n");
    for (const path of ["link", "hard", "env.txt", "elsewhere", "../outside.txt"]) {
      expect(existsSync(folder.in(path)), path).toBe(false);
    }
    expect(existsSync("/etc/agent-worker-test")).toBe(false);
    expect(await call("write_file", { path: ".agents/eve.yaml", content: "x" })).toMatchObject({ isError: true });
    expect(await call("write_file", { path: "../outside.txt", content: "x" })).toMatchObject({ isError: true });
    expect(await call("write_file", { path: "/etc/agent-worker-test", content: "x" })).toMatchObject({ isError: true });
  });

  it("does not write through a link that is in the project", async () => {
    using outside = temporaryFolder();
    writeFileSync(outside.in("victim.txt"), "safe\n");
    symlinkSync(outside.path, folder.in("out"));
    symlinkSync(outside.in("victim.txt"), folder.in("victim.txt"));
    await bash("echo x > out/new.txt; echo x > victim.txt; rm -rf out/victim.txt");
    expect(existsSync(outside.in("new.txt"))).toBe(false);
    expect(readFileSync(outside.in("victim.txt"), "utf8")).toBe("safe\n");
  });
});
