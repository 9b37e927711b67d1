import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGitWorktrees } from "../../../src/engines/git/git-worktrees.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { failureOf } from "../../../src/testing/engine-steps.ts";
import { makeRepository, personsGit } from "../../support/repository/git-repository.ts";
import { value } from "../../support/result.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const worktreesOf = (projectDir: string) => createGitWorktrees({ clock: systemClock, projectDir, env: process.env });
const REVIEW = { agent: null, workspace: { workflow: "review", tag: "main" } } as const;
const SHARED = { of: "workspace" } as const;
const BY = { agent: "ann", title: "Work", run: "run_1" };

function repository(folder: string) {
  mkdirSync(join(folder, "packages/app"), { recursive: true });
  writeFileSync(join(folder, "packages/app/main.ts"), "export {};\n");
  return makeRepository(folder);
}

const RECURSIVE = { recursive: true } as const;

/** What `git worktree add` leaves when it is killed before the files are there. */
function leaveHalf(entry: string): typeof RECURSIVE {
  writeFileSync(join(entry, "locked"), "initializing\n");
  writeFileSync(join(entry, "HEAD"), `${"0".repeat(40)}\n`);
  rmSync(join(entry, "index"));
  return RECURSIVE;
}

describe("the worktree of a workspace", () => {
  it("is made once, keeps what was done in it, and commits it once", async () => {
    using folder = temporaryFolder();
    const git = repository(folder.path);
    const worktrees = worktreesOf(folder.path);
    const [one, two] = await Promise.all([
      worktrees.open(REVIEW, SHARED, "ann"),
      worktrees.open(REVIEW, SHARED, "ann"),
    ]);
    expect(one.dir).toBe(folder.in(".workspace/worktrees/review.main"));
    expect(two.dir).toBe(one.dir);
    writeFileSync(join(one.dir, "work.txt"), "done");
    const [first, second] = await Promise.all([one.commit(BY), two.commit(BY)]);
    expect([first, second].filter((commit) => commit !== null)).toHaveLength(1);
    expect(git("log", "--format=%an: %s", "main..agent-worker/review/main")).toBe("ann: Work");
    const again = await worktreesOf(folder.path).open(REVIEW, SHARED, "ann");
    expect(readFileSync(join(again.dir, "work.txt"), "utf8")).toBe("done");
    expect(git("-C", again.dir, "status", "--porcelain")).toBe("");
  });

  it("is made again when somebody deleted it, with what was committed", async () => {
    using folder = temporaryFolder();
    repository(folder.path);
    const made = await worktreesOf(folder.path).open(REVIEW, SHARED, "ann");
    writeFileSync(join(made.dir, "work.txt"), "done");
    await made.commit(BY);
    rmSync(made.dir, { recursive: true });
    const again = await worktreesOf(folder.path).open(REVIEW, SHARED, "ann");
    expect(existsSync(join(again.dir, "work.txt"))).toBe(true);
  });

  it("is of the same folder, when the project is a part of a repository", async () => {
    using folder = temporaryFolder();
    repository(folder.path);
    const project = folder.in("packages/app");
    const made = await worktreesOf(project).open(REVIEW, SHARED, "ann");
    expect(made.dir).toBe(join(project, ".workspace/worktrees/review.main/packages/app"));
    expect(existsSync(join(made.dir, "main.ts"))).toBe(true);
  });

  it("gets a branch with all its work, when it was made without one", async () => {
    using folder = temporaryFolder();
    const git = repository(folder.path);
    const dir = folder.in(".workspace/worktrees/review.main");
    git("worktree", "add", "-q", "--detach", dir);
    writeFileSync(join(dir, "old.txt"), "old");
    using opened = await worktreesOf(folder.path).open(REVIEW, SHARED, "ann");
    await opened.commit(BY);
    expect(git("show", "agent-worker/review/main:old.txt")).toBe("old");
  });

  it("follows the project while it has no work of its own, and never otherwise", async () => {
    using folder = temporaryFolder();
    const git = repository(folder.path);
    const worktrees = worktreesOf(folder.path);
    (await worktrees.open(REVIEW, SHARED, "ann"))[Symbol.dispose]();
    writeFileSync(folder.in("new.txt"), "new");
    git("add", "new.txt");
    git("commit", "-q", "-m", "second");
    const followed = await worktrees.open(REVIEW, SHARED, "ann");
    expect(existsSync(join(followed.dir, "new.txt"))).toBe(true);
    writeFileSync(join(followed.dir, "mine.txt"), "mine");
    followed[Symbol.dispose]();
    writeFileSync(folder.in("newer.txt"), "newer");
    git("add", "newer.txt");
    git("commit", "-q", "-m", "third");
    const kept = await worktrees.open(REVIEW, SHARED, "ann");
    expect(existsSync(join(kept.dir, "newer.txt"))).toBe(false);
    expect(existsSync(join(kept.dir, "mine.txt"))).toBe(true);
  });

  it("goes on after a git that was killed left its locks", async () => {
    using folder = temporaryFolder();
    const git = repository(folder.path);
    const before = await worktreesOf(folder.path).open(REVIEW, SHARED, "ann");
    const long = new Date(Date.now() - 60_000);
    for (const lock of [
      "worktrees/review.main/index.lock",
      "worktrees/review.main/HEAD.lock",
      "refs/heads/agent-worker/review/main.lock",
    ]) {
      writeFileSync(folder.in(`.git/${lock}`), "");
      utimesSync(folder.in(`.git/${lock}`), long, long);
    }
    writeFileSync(join(before.dir, "work.txt"), "done");
    using after = await worktreesOf(folder.path).open(REVIEW, SHARED, "ann");
    expect(await after.commit(BY)).not.toBeNull();
    expect(git("show", "agent-worker/review/main:work.txt")).toBe("done");
  });

  it.each<readonly [string, (dir: string, entry: string) => unknown]>([
    [
      "had made only its folder",
      (dir, entry) => [rmSync(dir, leaveHalf(entry)), mkdirSync(dir), rmSync(entry, RECURSIVE)],
    ],
    ["had written no files", (dir, entry) => rmSync(join(dir, "packages"), leaveHalf(entry))],
    ["had made no folder", (dir, entry) => rmSync(dir, leaveHalf(entry))],
    ["had not unlocked it", (_, entry) => writeFileSync(join(entry, "locked"), "initializing\n")],
    ["had just made its branch", (dir) => personsGit(dir)("branch", "agent-worker/review/main")],
  ])("is whole when a git that was killed %s, and can be made again [repository.half-made]", async (_, leave) => {
    using folder = temporaryFolder();
    const git = repository(folder.path);
    const dir = folder.in(".workspace/worktrees/review.main");
    git("worktree", "add", "-q", "--detach", dir);
    leave(dir, folder.in(".git/worktrees/review.main"));
    const worktrees = worktreesOf(folder.path);
    for (const work of ["first", "second"]) {
      using opened = await worktrees.open(REVIEW, SHARED, "ann");
      expect(git("-C", opened.dir, "status", "--porcelain")).toBe("");
      expect(existsSync(join(opened.dir, "packages/app/main.ts"))).toBe(true);
      writeFileSync(join(opened.dir, "work.txt"), work);
      await opened.commit(BY);
      opened[Symbol.dispose]();
      expect(git("show", "agent-worker/review/main:work.txt")).toBe(work);
      value(await worktrees.discard(REVIEW));
    }
  });

  it("does not take over a branch that somebody else made", async () => {
    using folder = temporaryFolder();
    const git = repository(folder.path);
    git("branch", "release");
    const failure = await failureOf(() =>
      worktreesOf(folder.path).open(REVIEW, { of: "workspace", branch: "release" }, "ann"),
    );
    expect(String(failure)).toMatch(/the branch release exists already/);
  });

  it("cannot be made outside of a repository, without a commit, or through a link, and says what to do", async () => {
    using folder = temporaryFolder();
    const open = () => failureOf(() => worktreesOf(folder.path).open(REVIEW, SHARED, "ann"));
    const failure = await open();
    expect(failure).toMatchObject({ name: "EngineFailure", class: "permanent" });
    expect(String(failure)).toMatch(/not in a git repository.*Make the project a git repository/s);
    personsGit(folder.path)("init", "-q");
    expect(String(await open())).toMatch(/no commit yet/);
    writeFileSync(folder.in("a"), "a");
    makeRepository(folder.path);
    rmSync(folder.in(".workspace/worktrees"), { recursive: true });
    symlinkSync("/tmp", folder.in(".workspace/worktrees"));
    expect(String(await open())).toMatch(/worktrees is not a real folder/);
  });
});

describe("applying a branch", () => {
  it("refuses while an agent works in it", async () => {
    using folder = temporaryFolder();
    repository(folder.path);
    const worktrees = worktreesOf(folder.path);
    using _open = await worktrees.open(REVIEW, SHARED, "ann");
    const options = { leaveConflicts: false, withProtected: false };
    expect(await worktrees.apply(REVIEW, options)).toMatchObject({ ok: false, error: { code: "conflict" } });
    expect(await worktrees.discard(REVIEW)).toMatchObject({ ok: false, error: { code: "conflict" } });
  });

  it("takes over what a run left without a commit, and never overwrites an ignored file", async () => {
    using folder = temporaryFolder();
    const git = repository(folder.path);
    writeFileSync(folder.in(".gitignore"), "*.local\n.workspace\n");
    git("add", ".gitignore");
    git("commit", "-q", "-m", "ignore");
    const worktrees = worktreesOf(folder.path);
    const open = await worktrees.open(REVIEW, SHARED, "ann");
    writeFileSync(join(open.dir, "work.txt"), "done");
    open[Symbol.dispose]();
    const options = { leaveConflicts: false, withProtected: false };
    expect(value(await worktrees.apply(REVIEW, options))).toMatchObject({ kind: "applied" });
    expect(readFileSync(folder.in("work.txt"), "utf8")).toBe("done");

    const again = await worktrees.open(REVIEW, SHARED, "ann");
    writeFileSync(join(again.dir, ".gitignore"), ".workspace\n");
    writeFileSync(join(again.dir, "mine.local"), "of the agent");
    await again.commit(BY);
    again[Symbol.dispose]();
    writeFileSync(folder.in("mine.local"), "of the person");
    expect(await worktrees.apply(REVIEW, options)).toMatchObject({ ok: false, error: { code: "conflict" } });
    expect(readFileSync(folder.in("mine.local"), "utf8")).toBe("of the person");
  });
});
