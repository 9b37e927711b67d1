import { z } from "zod";
import { declareProposal, declareQuery } from "../operation.ts";

const target = z.string().describe("alice, alice@review:pr-1 or @review:pr-1");

export const changedFileView = z.object({
  path: z.string(),
  /** Lines. Null for a file that is no text. */
  insertions: z.int().nullable(),
  deletions: z.int().nullable(),
});
export type ChangedFileView = z.output<typeof changedFileView>;

/** A git worktree in which agents work, compared with where its branch left the checked out branch of the project. */
export const worktreeView = z.object({
  /** How people name it: `alice`, `alice@review:pr-1`, or `@review` for one that all agents of a workspace share. */
  target: z.string(),
  /** The key of its workspace; null for that of an agent in its direct messages. */
  space: z.string().nullable(),
  agent: z.string().nullable(),
  branch: z.string().nullable(),
  /** Id of the last commit. */
  commit: z.string().nullable(),
  /** Commits that the project does not have. */
  commits: z.int(),
  filesChanged: z.int(),
  insertions: z.int(),
  deletions: z.int(),
  /** Files that changed since the last commit. They are counted above, too. */
  uncommitted: z.int(),
  /** An agent works in it now. */
  inUse: z.boolean(),
});
export type WorktreeView = z.output<typeof worktreeView>;

export const worktreeDiffView = worktreeView.extend({
  files: z.array(changedFileView),
  /** As `git diff` prints it; only its beginning when `cut`. */
  diff: z.string(),
  cut: z.boolean(),
  /** What is in the worktree and in no commit, and so cannot be got back: what git ignores, and other repositories. */
  unkept: z.array(z.string()),
});

export const listWorktrees = declareQuery({
  name: "list-worktrees",
  summary: "List the git worktrees in which agents work: their branches, and what was changed.",
  method: "GET",
  path: "/worktrees",
  input: z.object({}),
  output: z.object({ worktrees: z.array(worktreeView) }),
});

export const showDiff = declareQuery({
  name: "show-diff",
  summary: "Show what agents changed in a worktree.",
  method: "GET",
  path: "/worktrees/:target",
  input: z.object({ target }),
  output: worktreeDiffView,
});

/** A file that both sides changed. `text` has the markers of git. */
const conflictView = z.object({ path: z.string(), text: z.string() });

export const applyWorktree = declareProposal({
  name: "apply-worktree",
  summary: "Merge the branch of a worktree into what the project has checked out. With conflicts nothing changes.",
  method: "POST",
  path: "/worktrees/:target/apply",
  input: z.object({
    target,
    conflicts: z.boolean().default(false).describe("With conflicts: leave them in the project, to resolve them there."),
    to: z
      .string()
      .optional()
      .describe("With conflicts: an agent with a worktree, which is asked to resolve them there."),
    protected: z.boolean().default(false).describe("Also apply changes of files that only people write."),
  }),
  output: z.object({
    outcome: z.enum(["nothing", "applied", "conflicts", "handed-over"]),
    branch: z.string().nullable(),
    /** Id of the commit that the project has now. */
    commit: z.string().nullable(),
    files: z.array(changedFileView),
    conflicts: z.array(conflictView),
    /** The conflicts are in the files of the project. */
    left: z.boolean(),
    /** Who was asked to resolve them, as a target. */
    to: z.string().nullable(),
  }),
});

export const discardWorktree = declareProposal({
  name: "discard-worktree",
  summary:
    "Remove a worktree and its branch. What was not committed is committed first, and git keeps that commit for some weeks; what git ignores is gone.",
  method: "DELETE",
  path: "/worktrees/:target",
  input: z.object({ target }),
  output: worktreeView.extend({
    /** What was in no commit, and cannot be got back. */
    unkept: z.array(z.string()),
  }),
});

export const showChanges = declareQuery({
  name: "show-changes",
  summary: "Show what a branch of the repository changes, compared with where it left its base.",
  method: "GET",
  path: "/repository/changes",
  input: z.object({
    branch: z.string().optional().describe("Absent: what is checked out, with what is not committed."),
    base: z.string().optional().describe("Absent: the main branch."),
  }),
  output: z.object({
    branch: z.string(),
    base: z.string(),
    files: z.array(changedFileView),
    insertions: z.int(),
    deletions: z.int(),
    diff: z.string(),
    cut: z.boolean(),
  }),
});
