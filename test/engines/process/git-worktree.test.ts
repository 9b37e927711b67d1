import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorktrees } from "../../../src/engines/process/git-worktree.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { failureOf } from "../../../src/testing/engine-steps.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function repository(folder: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Zoë", "-c", "user.email=zoe@example.com", ...args], { cwd: folder });
  mkdirSync(join(folder, "packages/app"), { recursive: true });
  writeFileSync(join(folder, "packages/app/main.ts"), "export {};\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  writeFileSync(join(folder, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch "${folder}/hooked"\n`);
  chmodSync(join(folder, ".git/hooks/post-checkout"), 0o755);
}

const worktrees = (projectDir: string) => createWorktrees({ clock: systemClock, projectDir, env: process.env });

describe("the worktree of a workspace", () => {
  it("is made once, runs no hook, and keeps what was done in it", async () => {
    using folder = temporaryFolder();
    repository(folder.path);
    const open = worktrees(folder.path);
    const [one, two] = await Promise.all([open("review.main"), open("review.main")]);
    expect(one).toBe(folder.in(".workspace/worktrees/review.main"));
    expect(two).toBe(one);
    expect(readFileSync(join(one, "packages/app/main.ts"), "utf8")).toBe("export {};\n");
    expect(existsSync(folder.in("hooked"))).toBe(false);
    writeFileSync(join(one, "work.txt"), "done");
    expect(await worktrees(folder.path)("review.main")).toBe(one);
    expect(readFileSync(join(one, "work.txt"), "utf8")).toBe("done");
    expect(await open("review.pr-1")).not.toBe(one);
  });

  it("is made again when somebody deleted it", async () => {
    using folder = temporaryFolder();
    repository(folder.path);
    const made = await worktrees(folder.path)("review.main");
    rmSync(made, { recursive: true });
    expect(existsSync(join(await worktrees(folder.path)("review.main"), "packages"))).toBe(true);
  });

  it("is of the same folder, when the project is a part of a repository", async () => {
    using folder = temporaryFolder();
    repository(folder.path);
    const project = folder.in("packages/app");
    const made = await worktrees(project)("review.main");
    expect(made).toBe(join(project, ".workspace/worktrees/review.main/packages/app/"));
    expect(existsSync(join(made, "main.ts"))).toBe(true);
  });

  it("cannot be made outside of a repository, and says what to do", async () => {
    using folder = temporaryFolder();
    const failure = await failureOf(() => worktrees(folder.path)("review.main"));
    expect(failure).toMatchObject({ name: "EngineFailure", class: "permanent" });
    expect(String(failure)).toMatch(/not a git repository.*Make the project a git repository/s);
  });
});
