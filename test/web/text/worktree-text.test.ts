import { expect, it } from "vitest";
import { worktreesOf, worktreeText } from "../../../web/src/text/worktree-text.ts";

const worktree = {
  target: "ann@fix",
  space: "@fix:main",
  agent: "ann",
  branch: "agent-worker/fix/main/ann",
  commit: "a".repeat(40),
  commits: 1,
  filesChanged: 1,
  insertions: 2,
  deletions: 3,
  uncommitted: 0,
  inUse: false,
};

it("[repository.diff] the page shows the branches of a space on which something changed", () => {
  const direct = { ...worktree, target: "ann", space: null };
  const unchanged = { ...worktree, target: "bob@fix", agent: "bob", filesChanged: 0 };
  expect(worktreesOf([worktree, direct, unchanged], "@fix:main")).toEqual([worktree]);
  expect(worktreesOf([worktree, direct, unchanged], "ann")).toEqual([direct]);
  expect(worktreeText(worktree)).toBe("agent-worker/fix/main/ann: 1 file changed, +2 -3");
  expect(worktreeText({ ...worktree, filesChanged: 2 })).toContain("2 files changed");
});
