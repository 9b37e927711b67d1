import { EXIT } from "../../contract/errors.ts";
import { openLiveProject, type LiveProject } from "../../daemon/live-project.ts";
import { localOptions } from "../../daemon/local-options.ts";
import type { WatchEvent } from "../../daemon/watch-project.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { UsageError, type Command } from "../command.ts";
import { interruption } from "../interruption.ts";
import { projectFolder } from "../project-folder.ts";
import { reportRefusal } from "../refusal-text.ts";
import {
  exitCodeOf,
  runAgent,
  runWorkflow,
  workflowName,
  type WorkflowEnd,
  type WorkflowRun,
} from "../run-workflow.ts";
import { showing } from "../transcript.ts";
import { parseWorkflowArguments } from "../workflow-arguments.ts";

/** Runs a workflow to its end. */
export const run: Command = {
  name: "run",
  summary: "Run a workflow, or ask one agent, and show what is said and done until nothing is left to do.",
  usage: "run WORKFLOW|FILE|AGENT [MESSAGE | -] [--tag TAG] [--project DIR] [--json] [-- name=value ...]",
  example: "agent-worker run review --tag pr-12 -- base=main",

  async run(args, terminal) {
    const { request, project: folder, json } = await parseWorkflowArguments(args, terminal);
    if (request === undefined) throw new UsageError("run needs the name of a workflow.");
    using interrupted = interruption();
    await using project = await openLiveProject(localOptions(projectFolder(terminal, folder)));
    try {
      const workflow = workflowName(project, request.workflow, terminal.cwd);
      if (!workflow.ok) return reportRefusal(terminal, workflow.error, json);
      const named = { ...request, workflow: workflow.value };
      const ended = await execute(project, named, showing(terminal, json), interrupted.signal);
      if (!ended.ok) return reportRefusal(terminal, ended.error, json);
      const { failed, deadLetters } = ended.value;
      if (json) terminal.out.write(`${JSON.stringify({ type: "done", ...ended.value })}\n`);
      else if (failed > 0) {
        const letters = deadLetters.map(({ id, reason }) => `  ${id}: ${reason}\n`);
        terminal.err.write(`Error: ${failed} could not be answered:\n${letters.join("")}`);
        terminal.err.write(`Try again with: agent-worker call retry-dead-letter '{"id": "ID"}'\n`);
      }
      return exitCodeOf(ended.value);
    } catch (error) {
      if (!interrupted.signal.aborted) throw error;
      terminal.err.write("Interrupted. What is open goes on with the next run or start in this project.\n");
      return EXIT.interrupted;
    }
  },
};

/** A name that is no workflow but an agent is asked directly. */
async function execute(
  project: LiveProject,
  request: WorkflowRun,
  show: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<Result<WorkflowEnd, Refusal>> {
  const { workflow: name, message } = request;
  const { definitions } = project;
  if (definitions.workflow(name) !== undefined || definitions.agent(name) === undefined) {
    return runWorkflow(project, request, show, signal);
  }
  if (message === undefined) throw new UsageError(`${name} is an agent: say what it is asked.`);
  return runAgent(project, name, message, show, signal);
}
