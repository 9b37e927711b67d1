import type { Requirement } from "./requirement.ts";

/** How agents work on a git repository, and how their work is looked at, taken over or thrown away. */
export const repository: readonly Requirement[] = [
  {
    id: "repository.worktree",
    source: ["product"],
    behaviour:
      "An agent with a worktree works on a branch of its own, on every engine that writes files; its work is committed by its name when a run ends, and the project stays as it is.",
    faces: ["cli", "file"],
  },
  {
    id: "repository.shared-worktree",
    source: ["product"],
    behaviour: "A workflow with a worktree has one branch, on which all its agents work.",
    faces: ["cli", "file"],
  },
  {
    id: "repository.worktree-engines",
    behaviour:
      "Worktrees hold on every engine that writes files: with the real Claude Code, Codex and OpenCode, and with a model API and the shell of the machine.",
    faces: ["cli"],
    source: ["surface"],
  },
  {
    id: "repository.worktree-refused",
    source: ["product"],
    behaviour: "Where a worktree cannot hold, the run fails with what to change.",
    faces: ["cli"],
  },
  {
    id: "repository.half-made",
    source: ["product"],
    behaviour: "A worktree whose making was interrupted is made again, and nobody has to remove anything by hand.",
    faces: ["file"],
  },
  {
    id: "repository.commit-once",
    source: ["product"],
    behaviour:
      "A daemon that is killed anywhere in a run leaves one commit with all the work, after it is started again.",
    faces: ["file"],
  },
  {
    id: "repository.diff",
    source: ["product"],
    behaviour: "What agents changed is shown by diff, by ls, at the end of run, over HTTP and on the page.",
    faces: ["cli", "http", "ui"],
  },
  {
    id: "repository.apply",
    source: ["product"],
    behaviour: "apply merges the branch into what is checked out, and never touches what a person has not committed.",
    faces: ["cli", "file"],
  },
  {
    id: "repository.conflicts",
    source: ["product"],
    behaviour:
      "With conflicts apply shows them and leaves the project as it was, unless it is told to leave them there.",
    faces: ["cli", "file"],
  },
  {
    id: "repository.hand-over",
    source: ["product"],
    behaviour: "An agent can be asked to resolve the conflicts in its worktree, and its result is applied.",
    faces: ["cli", "file"],
  },
  {
    id: "repository.discard",
    source: ["product"],
    behaviour:
      "discard asks, removes worktree and branch, says how to get them back, and names what cannot be got back before it is gone. It is refused while a call there waits for a yes.",
    faces: ["cli", "file"],
  },
  {
    id: "repository.protected",
    source: ["product", "traps"],
    behaviour: "Changes of files that only people write are applied only when a person says so.",
    faces: ["file"],
  },
  {
    id: "repository.no-programs",
    source: ["traps"],
    behaviour: "No program that a repository names in hooks, settings or attributes is started.",
    faces: ["file", "engine"],
  },
  {
    id: "repository.review",
    source: ["product"],
    behaviour:
      "review works in any git repository without a file, and ends with the findings in the terminal and a document.",
    faces: ["cli"],
  },
  {
    id: "repository.review-exit",
    source: ["product"],
    behaviour: "The exit code of review says whether something was found, nothing was found, or there is no review.",
    faces: ["cli"],
  },
  {
    id: "repository.review-interrupted",
    source: ["product"],
    behaviour: "Ctrl-C leaves a review and says how to follow and stop it; a second one stops it.",
    faces: ["cli"],
  },
  {
    id: "repository.review-missing",
    source: ["product"],
    behaviour: "Without an engine, review says what is missing and what to do.",
    faces: ["cli"],
  },
  {
    id: "repository.review-claude",
    source: ["product"],
    behaviour: "With nothing but Claude Code, one command in a repository with a planted bug ends with the finding.",
    faces: ["cli", "engine"],
  },
  {
    id: "repository.guidance",
    source: ["product"],
    behaviour:
      "The nearest AGENTS.md of the project is in the prompt of agents that read no files of their own, fenced and limited.",
    faces: ["engine"],
  },
  {
    id: "repository.groups",
    source: ["product"],
    behaviour: "ls groups agents, workspaces, workflows and worktrees under headings.",
    faces: ["cli"],
  },
];
