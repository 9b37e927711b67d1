import { SERVE_WAIT_LIMIT_MS, workRequest } from "../contract/service/work-request.ts";
import { ok } from "../kernel/result.ts";
import { teamTool, type TeamTool } from "../operations/tools/team-tool.ts";
import { beginWorkflow } from "../operations/workspaces/begin-workflow.ts";
import { executeRequest } from "../runtime/requests/execute-request.ts";
import { plainWords } from "./plain-words.ts";
import type { RunningProject } from "../runtime/running-project.ts";

const { until, ...start } = workRequest.options[1].shape;

/**
 * Starts a workflow. Not an operation, because setup commands run and may take long. Unlike `/run` it does not wait for
 * the end by default: the workflow goes on without the model.
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
      const limited = { ...request, waitLimitMs: request.waitLimitMs ?? SERVE_WAIT_LIMIT_MS };
      const result = await executeRequest(project, limited, () => {}, signal);
      if (!result.ok) return result;
      const { type: _, ...data } = result.value;
      return ok({ text: plainWords(data), data });
    },
  });
}

export const WORKFLOW_START = "workflow_start";
