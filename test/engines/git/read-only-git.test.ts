import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createShellTools } from "../../../src/engines/tools/shell-tools.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { makeRepository, type PersonsGit } from "../../support/repository/git-repository.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

let folder: TemporaryFolder;
let git: PersonsGit;
beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(folder.in("src"));
  writeFileSync(folder.in("src/a.txt"), "one\ntwo\n");
  writeFileSync(folder.in(".env"), "KEY=hunter2\n");
  git = makeRepository(folder.path);
  writeFileSync(folder.in("src/a.txt"), "one\nTWO\n");
  writeFileSync(folder.in(".env"), "KEY=hunter3\n");
  git("commit", "-q", "-a", "-m", "second");
  writeFileSync(folder.in("src/a.txt"), "one\nTWO\nthree\n");
});
afterAll(() => folder[Symbol.dispose]());

const bash = async (command: string): Promise<{ content: string; isError: boolean }> => {
  await using host = createShellTools({
    definition: {},
    personalFolders: { own: null, others: [] },
    projectDir: folder.path,
    clock: systemClock,
    askApproval: async () => ({ approved: false, reason: "nobody is here" }),
  });
  const outcome = await host.call({ id: "call_1", tool: "bash", args: { command } }, new AbortController().signal);
  return outcome.kind === "result" ? outcome : { content: JSON.stringify(outcome), isError: true };
};

describe("git in the virtual shell", () => {
  it("[tools.read-git] reads the real repository: diff, log, show, status and blame, also in a pipe", async () => {
    expect((await bash("git diff")).content).toContain("+three");
    expect((await bash("git diff --stat HEAD~1 HEAD -- src")).content).toContain("src/a.txt");
    expect((await bash("git log --oneline")).content).toMatch(/second\n.*first/);
    expect((await bash("git log -n 1 -p src | grep '^+TWO'")).content).toBe("+TWO");
    expect((await bash("git show HEAD:src/a.txt")).content).toBe("one\nTWO");
    expect((await bash("cd src && git show HEAD:./a.txt && git diff a.txt")).content).toContain("+three");
    expect((await bash("git status --short")).content).toBe(" M src/a.txt");
    expect((await bash("git blame src/a.txt")).content).toMatch(/TWO/);
    expect((await bash("git show HEAD")).content).toContain("+TWO");
  });

  it("[tools.read-git-confined] shows nothing private, writes nothing and starts nothing else", async () => {
    const head = git("rev-parse", "HEAD");
    const blob = git("rev-parse", "HEAD:.env");
    for (const command of [
      "git diff HEAD~1 HEAD",
      "git log -p",
      "git log -p --all",
      "git show HEAD",
      "git show HEAD:.env",
      "git show HEAD:./src/../.env",
      `git show ${blob}`,
      "git show HEAD^{tree}",
      "git blame .env",
      "git log -p -- .env",
      "git diff HEAD~1 -- ':(top).env'",
      "git log -p -G hunter",
      "git diff --no-index /etc/hostname src/a.txt",
      "git diff --output=stolen.txt HEAD~1",
      "git log --format='%x00' --output=stolen.txt",
      "git -c core.pager='touch stolen.txt' log",
      "git grep hunter",
      "git cat-file -p HEAD:.env",
      "git commit -am x",
      "git checkout HEAD~1 -- src/a.txt",
      "git config alias.x '!touch stolen.txt'",
      "git log --ext-diff -p",
      "git show --textconv HEAD",
      "git log -L1,2:.env",
      "git blame --contents /etc/hostname src/a.txt",
    ]) {
      const { content } = await bash(command);
      expect(content, command).not.toMatch(/hunter\d/);
    }
    expect(git("rev-parse", "HEAD")).toBe(head);
    expect(existsSync(folder.in("stolen.txt"))).toBe(false);
    expect((await bash("git commit -m x")).content).toContain("only diff, log, show, status, blame");
  });
});
