import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { EXIT } from "../contract/errors.ts";
import { askAgent } from "../daemon/ask-agent.ts";
import { deadLettersSince, lastSequence, type DeadLetter } from "../daemon/dead-letters.ts";
import type { LiveProject } from "../daemon/live-project.ts";
import { watchSpace, type WatchEvent } from "../daemon/watch-project.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";

export interface WorkflowRun {
  /** Its name in the project, or the path of its file. */
  readonly workflow: string;
  readonly tag: string;
  /** As typed after `--`. */
  readonly params: readonly string[];
  readonly message?: string;
}

export interface WorkflowStarted {
  readonly space: string;
  readonly participants: readonly string[];
}

export interface WorkflowEnd extends WorkflowStarted {
  /** Messages that nobody could answer, or that nobody was left to take. */
  readonly failed: number;
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * The name of the workflow a person means. A path that leads to a file is that file; otherwise `review.yaml` is the
 * project's own `review`.
 */
export function workflowName(project: LiveProject, text: string, cwd: string): Result<string, Refusal> {
  const path = resolve(cwd, text);
  if (!/\.ya?ml$/.test(text)) return ok(text);
  if (!existsSync(path)) return ok(basename(text).replace(/\.ya?ml$/, ""));
  const added = project.definitions.addWorkflow(path);
  return added.ok ? ok(added.value.name) : added;
}

export async function startWorkflow(
  project: LiveProject,
  request: WorkflowRun,
  show: (event: WatchEvent) => void,
  { untilIdle }: { readonly untilIdle: boolean },
  signal: AbortSignal,
): Promise<Result<WorkflowStarted, Refusal>> {
  return project.workflows.start({ ...request, untilIdle, watch: (text) => show({ type: "setup", text }) }, signal);
}

/** Starts a workflow, shows everything that happens in it, and comes back when nothing is left to do. */
export async function runWorkflow(
  project: LiveProject,
  request: WorkflowRun,
  show: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<Result<WorkflowEnd, Refusal>> {
  const space = `@${request.workflow}:${request.tag}`;
  await using _watching = watchSpace(project, space, show);
  const before = await lastSequence(project, space);
  const started = await startWorkflow(project, request, show, { untilIdle: true }, signal);
  if (!started.ok) return started;
  const { failed } = await project.workflows.untilDone(space, signal);
  return ok({ ...started.value, failed, deadLetters: await deadLettersSince(project, space, before) });
}

/** The same for one agent and one message to it. */
export async function runAgent(
  project: LiveProject,
  agent: string,
  message: string,
  show: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<Result<WorkflowEnd, Refusal>> {
  await using _watching = watchSpace(project, agent, show);
  const asked = await askAgent(project, agent, message, signal);
  if (!asked.ok) return asked;
  const { deadLetters } = asked.value;
  return ok({ space: agent, participants: [agent], failed: deadLetters.length, deadLetters });
}

export function exitCodeOf({ failed }: WorkflowEnd): number {
  return failed > 0 ? EXIT.failed : EXIT.ok;
}
