import type { CheckedWorkRequest, RequestResult, RunEvent } from "../../contract/service/work-request.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { askAgent } from "./agent-request.ts";
import { runTeam } from "./team-request.ts";
import { runWorkflow } from "./workflow-request.ts";
import type { RunningProject } from "../running-project.ts";

/**
 * Does what somebody outside wants done, and tells what happens meanwhile. The work belongs to the daemon: an aborted
 * signal only ends the watching, by rejecting with its reason, and nothing is told after it. A refusal before the first
 * event means that nothing has happened.
 */
export function executeRequest(
  project: RunningProject,
  wanted: CheckedWorkRequest,
  watch: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const tell = (event: RunEvent): void => {
    if (!signal.aborted) watch(event);
  };
  if ("agent" in wanted) return askAgent(project, wanted, tell, signal);
  if ("workflow" in wanted) return runWorkflow(project, wanted, tell, signal);
  return runTeam(project, wanted, tell, signal);
}
