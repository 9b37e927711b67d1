import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { placeOfFolder, worktreeFolder, worktreeTarget, type WorktreePlace } from "../../domain/worktree/worktree.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import type { Worktrees, WorktreeState } from "../../ports/worktrees.ts";
import type { Environment } from "../shared/environment.ts";
import { applyBranch, mergeInto } from "./apply-branch.ts";
import { branchChanges } from "./branch-changes.ts";
import { changedBetween, currentTree, diffOf, statOf } from "./diff-state.ts";
import { findProjectGit, findWorktree, type ProjectGitFolder } from "./find-project-git.ts";
import { openWorktree, WORKTREES_FOLDER } from "./open-worktree.ts";
import { unkeptPaths } from "./unkept-paths.ts";
import { createWorktreeUsers } from "./worktree-users.ts";
import { createGit, reasonOf, type GitFolder } from "./safe-git.ts";
import { commitWorktree, mergedCommit } from "./worktree-commit.ts";

export interface GitWorktreesOptions {
  readonly clock: Clock;
  /** Absolute. */
  readonly projectDir: string;
  readonly env: Environment;
}

/** The worktrees of a project on the disk. What changes one is done one after another. */
export function createGitWorktrees({ clock, projectDir, env }: GitWorktreesOptions): Worktrees {
  const git = createGit({ clock, env });
  const queue = createSerialQueue();
  const startedAt = clock.now();
  const users = createWorktreeUsers();
  const folderOf = (place: WorktreePlace): string => join(projectDir, WORKTREES_FOLDER, worktreeFolder(place));
  const isInUse = (place: WorktreePlace): boolean => users.isInUse(folderOf(place));

  const stateOf = async (project: ProjectGitFolder, worktree: GitFolder, place: WorktreePlace) => {
    const ask = async (from: GitFolder, ...args: readonly string[]): Promise<string> =>
      (await git(from, args)).output.trim();
    const [commit, branch, head] = await Promise.all([
      ask(worktree, "rev-parse", "--verify", "--quiet", "HEAD"),
      ask(worktree, "symbolic-ref", "--short", "--quiet", "HEAD"),
      ask(project, "rev-parse", "--verify", "--quiet", "HEAD"),
    ]);
    const fork = (await ask(worktree, "merge-base", head, commit)) || commit;
    const commits = Number((await ask(worktree, "rev-list", "--count", `${head}..${commit}`)) || 0);
    const { tree, uncommitted } = await currentTree(git, worktree);
    const state = { place, branch: branch || null, commit, commits, uncommitted, inUse: isInUse(place) };
    return { state, fork, tree };
  };

  const found = (place: WorktreePlace): Result<Found, Refusal> => {
    const project = findProjectGit(projectDir);
    const worktree = project && findWorktree(project, folderOf(place));
    if (project !== undefined && worktree !== undefined && existsSync(worktree.top)) return ok({ project, worktree });
    return refuse("not_found", `${worktreeTarget(place)} has no worktree.`, {
      hint: "See which there are: agent-worker ls",
    });
  };

  /** What a run left behind when it did not end by itself belongs to the branch, too. */
  const settled = async (place: WorktreePlace): Promise<Result<Found & { readonly commit: string }, Refusal>> => {
    const there = found(place);
    if (!there.ok) return there;
    if (isInUse(place)) return refuseInUse(place);
    const { worktree } = there.value;
    const agent = place.agent ?? place.workspace?.workflow ?? "agent-worker";
    await commitWorktree(git, worktree, { agent, title: "Work that was not committed", run: "none" });
    if (mergedCommit(worktree) !== undefined) {
      return refuse("conflict", `A merge in the worktree of ${worktreeTarget(place)} still has conflicts.`, {
        hint: `Ask its agent to resolve them in the files, or drop its work: agent-worker discard ${worktreeTarget(place)}`,
      });
    }
    const head = await git(worktree, ["rev-parse", "--verify", "HEAD"]);
    return ok({ ...there.value, commit: head.output.trim() });
  };

  const branchName = async (worktree: GitFolder): Promise<string> =>
    (await git(worktree, ["symbolic-ref", "--short", "--quiet", "HEAD"])).output.trim() || "HEAD";

  return {
    open: (place, choice, agent) =>
      queue.run(async () => {
        const folder = folderOf(place);
        const opened = await openWorktree(
          { git, projectDir, startedAt, isInUse: isInUse(place) },
          { place, folder, choice },
        );
        const use = users.begin(folder, agent);
        return {
          dir: opened.dir,
          commit: (by) =>
            queue.run(async () => {
              const others = users.since(folder).filter((name) => name !== by.agent);
              const commit = await commitWorktree(git, opened.worktree, { ...by, others });
              if (commit !== null) users.committed(folder);
              return commit;
            }),
          [Symbol.dispose]: () => use[Symbol.dispose](),
        };
      }),

    async list() {
      const folder = join(projectDir, WORKTREES_FOLDER);
      const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
      const states: WorktreeState[] = [];
      for (const name of names) {
        const place = placeOfFolder(name);
        const there = place && found(place);
        if (place === undefined || there?.ok !== true) continue;
        const { project, worktree } = there.value;
        const { state, fork, tree } = await stateOf(project, worktree, place);
        states.push({ ...state, stat: statOf(await changedBetween(git, worktree, fork, tree)) });
      }
      return states;
    },

    async diff(place) {
      const there = found(place);
      if (!there.ok) return there;
      const { project, worktree } = there.value;
      const { state, fork, tree } = await stateOf(project, worktree, place);
      const diff = await diffOf(git, worktree, fork, tree);
      const unkept = await unkeptPaths(git, worktree);
      return ok({ ...state, ...diff, stat: statOf(diff.changed), unkept });
    },

    apply: (place, options) =>
      queue.run(async () => {
        const ready = await settled(place);
        if (!ready.ok) return ready;
        const { project, worktree, commit } = ready.value;
        return applyBranch(git, project, { branch: await branchName(worktree), commit }, options);
      }),

    handOver: (from, to) =>
      queue.run(async () => {
        const [ready, target] = [await settled(from), await settled(to)];
        if (!ready.ok) return ready;
        if (!target.ok) return target;
        const { project, commit } = ready.value;
        const { worktree } = target.value;
        const by = { agent: to.agent ?? "agent-worker", title: `Merge ${await branchName(project)}`, run: "none" };
        const head = (await git(project, ["rev-parse", "HEAD"])).output.trim();
        const isSame = worktreeFolder(from) === worktreeFolder(to);
        const ofProject = { branch: await branchName(project), commit: head };
        const ofAgent = { branch: await branchName(ready.value.worktree), commit };
        for (const merged of isSame ? [ofProject] : [ofProject, ofAgent]) {
          if ((await git(worktree, ["merge-base", "--is-ancestor", merged.commit, "HEAD"])).code === 0) continue;
          const begun = await mergeInto(git, worktree, merged);
          if (!begun.ok || begun.value.length > 0) return begun;
          await commitWorktree(git, worktree, by);
        }
        return ok([]);
      }),

    discard: (place) =>
      queue.run(async () => {
        const there = found(place);
        if (!there.ok) return there;
        if (isInUse(place)) return refuseInUse(place);
        const { project, worktree } = there.value;
        const agent = place.agent ?? place.workspace?.workflow ?? "agent-worker";
        const unkept = await unkeptPaths(git, worktree);
        const by = { agent, title: "Work that was discarded", run: "none" };
        await commitWorktree(git, worktree, by, { withConflicts: true });
        const commit = (await git(worktree, ["rev-parse", "--verify", "HEAD"])).output.trim();
        const branch = await branchName(worktree);
        rmSync(worktree.top, { recursive: true, force: true });
        await git(project, ["worktree", "prune"]);
        if (branch !== "HEAD") {
          const deleted = await git(project, ["update-ref", "-d", `refs/heads/${branch}`, commit]);
          if (deleted.code !== 0)
            return refuse("conflict", `The branch ${branch} was not deleted: ${reasonOf(deleted)}.`);
        }
        return ok({ commit: commit || null, unkept });
      }),

    async changes(options) {
      const project = findProjectGit(projectDir);
      if (project === undefined) {
        return refuse("not_found", "There is no git repository here.", { hint: "Go to one, or make one: git init" });
      }
      return branchChanges(git, project, options);
    },
  };
}

function refuseInUse(place: WorktreePlace) {
  return refuse("conflict", `An agent works in the worktree of ${worktreeTarget(place)} now.`, {
    hint: `Wait until it is done, or stop it: agent-worker stop ${worktreeTarget(place)}`,
  });
}

interface Found {
  readonly project: ProjectGitFolder;
  readonly worktree: GitFolder;
}
