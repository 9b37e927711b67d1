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

export interface WorkflowEnd {
  readonly space: string;
  readonly participants: readonly string[];
  /** Messages that nobody could answer. */
  readonly failed: number;
}

/** Starts a workflow, shows everything that happens in it, and comes back when nothing is left to do. */
export async function runWorkflow(
  project: LiveProject,
  { workflow, tag, params, message }: WorkflowRun,
  show: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<Result<WorkflowEnd, Refusal>> {
  await using _watching = watchSpace(project, `@${workflow}:${tag}`, show);
  const started = await project.workflows.start(
    {
      workflow,
      tag,
      params,
      untilIdle: true,
      watch: (text) => show({ type: "setup", text }),
      ...(message === undefined ? {} : { message }),
    },
    signal,
  );
  if (!started.ok) return started;
  const { space, participants } = started.value;
  const { failed } = await project.workflows.untilDone(space, signal);
  return ok({ space, participants, failed });
}

export function exitCodeOf({ failed }: WorkflowEnd): number {
  return failed > 0 ? EXIT.failed : EXIT.ok;
}
