import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { DEFAULT_TAG, NO_WORKSPACE } from "../names.ts";

/**
 * What a definition says about worktrees. `of` says who shares it: one agent has it alone in its workspace, or all agents
 * of the workspace work in it. False: the agent works in the project itself, although its workspace has a worktree.
 */
export type WorktreeChoice = { readonly of: "agent" | "workspace"; readonly branch?: string } | false;

/** Whose worktree it is. `workspace` null: that of an agent in its direct messages. */
export type WorktreePlace =
  | { readonly agent: string; readonly workspace: null }
  | { readonly agent: string | null; readonly workspace: { readonly workflow: string; readonly tag: string } };

const BRANCHES = "agent-worker";

/**
 * Returns the name of its branch. Git cannot have a branch `a` and a branch `a/b`: a workspace has one worktree for all, or
 * one for each agent.
 */
export function worktreeBranch({ agent, workspace }: WorktreePlace): string {
  const place = workspace === null ? [NO_WORKSPACE] : [workspace.workflow, branchPart(workspace.tag)];
  return [BRANCHES, ...place, ...(agent === null ? [] : [agent])].join("/");
}

/** A tag may have dots where git forbids them. */
function branchPart(tag: string): string {
  return tag.replace(/^\.|\.(?=\.|$)|\.(?=lock$)/giu, "_");
}

/** Returns the name of its folder, which says whose it is. */
export function worktreeFolder({ agent, workspace }: WorktreePlace): string {
  const place = workspace === null ? NO_WORKSPACE : `${workspace.workflow}.${workspace.tag}`;
  return agent === null ? place : `${agent}@${place}`;
}

/** Returns whose folder it is; undefined when the name is none of ours. */
export function placeOfFolder(name: string): WorktreePlace | undefined {
  const [, agent, place] = /^(?:([\w-]+)@)?([\w.-]+)$/u.exec(name) ?? [];
  if (place === undefined) return undefined;
  if (place === NO_WORKSPACE) return agent === undefined ? undefined : { agent, workspace: null };
  const [, workflow, tag] = /^([\w-]+)\.(.+)$/u.exec(place) ?? [];
  if (workflow === undefined || tag === undefined) return undefined;
  return { agent: agent ?? null, workspace: { workflow, tag } };
}

/** Returns the target by which people name it: `alice`, `@review` or `alice@review:pr-1`. */
export function worktreeTarget({ agent, workspace }: WorktreePlace): string {
  if (workspace === null) return agent;
  const { workflow, tag } = workspace;
  return `${agent ?? ""}@${workflow}${tag === DEFAULT_TAG ? "" : `:${tag}`}`;
}

/** The rules of git for the name of a branch, and no name that could be read as an option. */
export function checkBranchName(name: string): Result<string, Refusal> {
  const parts = name.split("/");
  const isValid =
    /^[\p{L}\p{M}\p{N}_.+#@%=,/-]+$/u.test(name) &&
    name.length <= 200 &&
    !name.includes("..") &&
    !/^(?:-|HEAD$|@$)/u.test(name) &&
    parts.every((part) => part !== "" && !part.startsWith(".") && !/(?:\.|\.lock)$/iu.test(part));
  if (isValid) return ok(name);
  return refuse("invalid", `${JSON.stringify(name.slice(0, 64))} cannot be the name of a branch.`, {
    hint: "Use letters, digits, - and /, such as fix/login; or true for a branch of its own.",
  });
}
