import { EXIT } from "../../contract/errors.ts";
import { openLiveProject } from "../../daemon/live-project.ts";
import { localOptions } from "../../daemon/local-options.ts";
import { watchSpace } from "../../daemon/watch-project.ts";
import type { Command } from "../command.ts";
import { interruption } from "../interruption.ts";
import { projectFolder } from "../project-folder.ts";
import { reportRefusal } from "../refusal-text.ts";
import { startWorkflow, workflowName } from "../run-workflow.ts";
import { showing } from "../transcript.ts";
import { parseWorkflowArguments } from "../workflow-arguments.ts";

/** Keeps a project at work: the workflow it is given, and everything that was open before. */
export const start: Command = {
  name: "start",
  summary: "Start a workflow and keep it running until Ctrl-C; without one, go on with what is open in the project.",
  usage: "start [WORKFLOW|FILE [MESSAGE | -]] [--tag TAG] [--project DIR] [--json] [-- name=value ...]",
  example: "agent-worker start review --tag pr-12",

  async run(args, terminal) {
    const { request, project: folder, json } = await parseWorkflowArguments(args, terminal);
    using interrupted = interruption();
    const { signal } = interrupted;
    await using project = await openLiveProject(localOptions(projectFolder(terminal, folder)));
    const show = showing(terminal, json);
    await using watching = new AsyncDisposableStack();
    for (const { key } of await project.readIn(undefined, (store) => store.workspaces.list({ state: "open" }))) {
      watching.use(watchSpace(project, key, show));
    }
    if (request !== undefined) {
      const workflow = workflowName(project, request.workflow, terminal.cwd);
      if (!workflow.ok) return reportRefusal(terminal, workflow.error, json);
      const named = { ...request, workflow: workflow.value };
      watching.use(watchSpace(project, `@${named.workflow}:${named.tag}`, show));
      const started = await startWorkflow(project, named, show, { untilIdle: false }, signal);
      if (!started.ok) return reportRefusal(terminal, started.error, json);
    }
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    terminal.err.write("Stopped. What is open goes on with the next run or start in this project.\n");
    return EXIT.interrupted;
  },
};
