import { workRequest } from "../contract/service/work-request.ts";
import { ok } from "../kernel/result.ts";
import { beginWorkflow } from "../operations/workspaces/begin-workflow.ts";
import { teamTool, type TeamTool } from "../operations/tools/team-tool.ts";
import { executeRequest } from "../runtime/requests/execute-request.ts";
import type { RunningProject } from "../runtime/running-project.ts";

const { until, ...start } = workRequest.options[1].shape;

/**
 * Starting a workflow is no operation: setup commands run and may take long. Unlike `/run`, a model is better off when
 * it does not wait for the end: nothing is lost, for the workflow goes on whether anybody waits or not.
 */
export function workflowStartTool(project: RunningProject, signal: AbortSignal): TeamTool {
  return teamTool({
    name: WORKFLOW_START,
    description:
      "Start a workflow: its setup runs, its kickoff is posted and its agents begin. " +
      "Comes back when it has started, or with until: idle when nothing is left to do.",
    input: { ...start, until: until.unwrap().default("started") },
    uses: [beginWorkflow],
    async call(request) {
      const done = await executeRequest(project, request, () => {}, signal);
      if (!done.ok) return done;
      const { type: _, ...data } = done.value;
      return ok({ text: JSON.stringify(data), data });
    },
  });
}

export const WORKFLOW_START = "workflow_start";
