import { EXIT } from "../../contract/errors.ts";
import { openLiveProject } from "../../daemon/live-project.ts";
import { localOptions } from "../../daemon/local-options.ts";
import { UsageError, type Command } from "../command.ts";
import { interruption } from "../interruption.ts";
import { projectFolder } from "../project-folder.ts";
import { reportRefusal } from "../refusal-text.ts";
import { exitCodeOf, runWorkflow, workflowName } from "../run-workflow.ts";
import { showing } from "../transcript.ts";
import { parseWorkflowArguments } from "../workflow-arguments.ts";

/** Runs a workflow to its end. */
export const run: Command = {
  name: "run",
  summary: "Run a workflow and show what its team says and does, until nothing is left to do.",
  usage: "run WORKFLOW|FILE [MESSAGE | -] [--tag TAG] [--project DIR] [--json] [-- name=value ...]",
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
      const ended = await runWorkflow(project, named, showing(terminal, json), interrupted.signal);
      if (!ended.ok) return reportRefusal(terminal, ended.error, json);
      const { failed } = ended.value;
      if (json) terminal.out.write(`${JSON.stringify({ type: "done", ...ended.value })}\n`);
      else if (failed > 0) {
        terminal.err.write(
          `Error: ${failed} messages could not be answered.\nSee: agent-worker call list-dead-letters\n`,
        );
      }
      return exitCodeOf(ended.value);
    } catch (error) {
      if (!interrupted.signal.aborted) throw error;
      terminal.err.write("Interrupted. What is open goes on with the next run or start in this project.\n");
      return EXIT.interrupted;
    }
  },
};
