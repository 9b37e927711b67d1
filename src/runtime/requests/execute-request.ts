import type { CheckedWorkRequest, RequestResult, RunEvent } from "../../contract/service/work-request.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { RunningProject } from "../running-project.ts";
import { askAgent, sendAndFollow } from "./agent-request.ts";
import { runTeam, runWorkflow } from "./workflow-request.ts";

/**
 * Executes the request of a client and passes its events to `watch`. An aborted signal ends only the waiting, not the
 * work: the promise rejects with its reason, and no event is emitted after it. A refusal before the first event means
 * that nothing was done.
 */
export function executeRequest(
  project: RunningProject,
  request: CheckedWorkRequest,
  watch: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const emit = (event: RunEvent): void => {
    if (!signal.aborted) watch(event);
  };
  if ("agent" in request) return askAgent(project, request, emit, signal);
  if ("to" in request) return sendAndFollow(project, request, emit, signal);
  if ("workflow" in request) return runWorkflow(project, request, emit, signal);
  return runTeam(project, request, emit, signal);
}
