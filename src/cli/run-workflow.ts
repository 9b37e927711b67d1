import { EXIT } from "../contract/errors.ts";
import type { LiveProject } from "../daemon/live-project.ts";
import { watchSpace, type WatchEvent } from "../daemon/watch-project.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";

export interface WorkflowRun {
  readonly workflow: string;
  readonly tag: string;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  readonly message?: string;
}

export interface WorkflowStarted {
  readonly space: string;
  readonly participants: readonly string[];
}

export interface WorkflowEnd extends WorkflowStarted {
  /** Messages that nobody could answer. */
  readonly failed: number;
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
  await using _watching = watchSpace(project, `@${request.workflow}:${request.tag}`, show);
  const started = await startWorkflow(project, request, show, { untilIdle: true }, signal);
  if (!started.ok) return started;
  const { failed } = await project.workflows.untilDone(started.value.space, signal);
  return ok({ ...started.value, failed });
}

export function exitCodeOf({ failed }: WorkflowEnd): number {
  return failed > 0 ? EXIT.failed : EXIT.ok;
}
