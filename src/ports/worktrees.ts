import type { WorktreeChoice, WorktreePlace } from "../domain/worktree/worktree.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/** What differs between two states of a repository, in numbers. */
export interface DiffStat {
  readonly files: number;
  readonly insertions: number;
  readonly deletions: number;
}

/** A file that differs. The numbers are null for a file that is no text. */
export interface ChangedFile {
  readonly path: string;
  readonly insertions: number | null;
  readonly deletions: number | null;
}

/** A worktree that exists, compared with where its branch left the checked out branch of the project. */
export interface WorktreeState {
  readonly place: WorktreePlace;
  /** Null when nothing of its branch is left. */
  readonly branch: string | null;
  /** Id of its last commit. */
  readonly commit: string | null;
  /** Commits that the project does not have. */
  readonly commits: number;
  readonly stat: DiffStat;
  /** Files changed since the last commit. They are counted in `stat`, too. */
  readonly uncommitted: number;
  /** An agent works in it now. */
  readonly inUse: boolean;
}

export interface WorktreeDiff extends WorktreeState {
  readonly changed: readonly ChangedFile[];
  /** As `git diff` prints it; only its beginning when `cut`. */
  readonly diff: string;
  readonly cut: boolean;
  /** What is in the worktree and would be in no commit: what git ignores, and other repositories. */
  readonly unkept: readonly string[];
}

/** A file that both sides changed. `text` has the markers of git. */
export interface Conflict {
  readonly path: string;
  readonly text: string;
}

export type ApplyOutcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "applied"; readonly commit: string; readonly changed: readonly ChangedFile[] }
  /** The project is as before, unless the conflicts were left in it (`left`). */
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[]; readonly left: boolean };

/** A worktree while a run works in it. */
export interface OpenWorktree extends Disposable {
  /** The folder of the project inside the worktree. Absolute. */
  readonly dir: string;
  /** Commits what was changed, if anything. Safe to repeat. Returns the id of the commit; null when there was nothing. */
  commit(by: CommitAuthor): Promise<string | null>;
}

export interface CommitAuthor {
  readonly agent: string;
  /** The first line of the message. */
  readonly title: string;
  /** Id of the run. */
  readonly run: string;
}

/** The changes of a branch, compared with where it left its base. */
export interface BranchChanges {
  readonly branch: string;
  readonly base: string;
  readonly changed: readonly ChangedFile[];
  readonly stat: DiffStat;
  readonly diff: string;
  readonly cut: boolean;
}

/**
 * The worktrees of a project: folders in `.workspace/worktrees/`, each with a branch of its own. Git is asked what they
 * hold, so nothing of it is stored a second time. No program that a repository names is started.
 */
export interface Worktrees {
  /** Makes the worktree if it does not exist; `agent` works in it until it is disposed. Throws an EngineFailure when there can be none. */
  open(place: WorktreePlace, choice: Exclude<WorktreeChoice, false>, agent: string): Promise<OpenWorktree>;
  list(): Promise<readonly WorktreeState[]>;
  diff(place: WorktreePlace): Promise<Result<WorktreeDiff, Refusal>>;
  /** Merges its branch into the checked out branch of the project. Nothing that is not committed is touched. */
  apply(
    place: WorktreePlace,
    options: { readonly leaveConflicts: boolean; readonly withProtected: boolean },
  ): Promise<Result<ApplyOutcome, Refusal>>;
  /**
   * Begins to merge `from` in the worktree of another, together with what the project has, and leaves the conflicts there
   * for its agent. Returns the paths with conflicts.
   */
  handOver(from: WorktreePlace, to: WorktreePlace): Promise<Result<readonly string[], Refusal>>;
  /**
   * Removes the worktree and its branch. What was not committed is committed first, also conflicts of a merge. Returns the
   * id of the last commit, which git keeps for some weeks, and what was in no commit.
   */
  discard(
    place: WorktreePlace,
  ): Promise<Result<{ readonly commit: string | null; readonly unkept: readonly string[] }, Refusal>>;
  /** Absent `branch`: what is checked out, with what is not committed. Absent `base`: the main branch. */
  changes(options: {
    readonly branch?: string | undefined;
    readonly base?: string | undefined;
  }): Promise<Result<BranchChanges, Refusal>>;
}
