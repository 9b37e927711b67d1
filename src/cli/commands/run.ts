import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { EXIT } from "../../contract/errors.ts";
import { openLiveProject } from "../../daemon/live-project.ts";
import { localOptions } from "../../daemon/local-options.ts";
import { findProject } from "../../files/project/find-project.ts";
import { UsageError, type Command } from "../command.ts";
import { interruption } from "../interruption.ts";
import { paintFor } from "../paint.ts";
import { reportRefusal } from "../refusal-text.ts";
import { exitCodeOf, runWorkflow } from "../run-workflow.ts";
import { createTranscript } from "../transcript.ts";

/** Runs a workflow to its end, in the foreground. */
export const run: Command = {
  name: "run",
  summary: "Run a workflow and show what its team says and does, until nothing is left to do.",
  usage: "run WORKFLOW [MESSAGE | -] [--tag TAG] [--project DIR] [--json] [-- name=value ...]",
  example: "agent-worker run review --tag pr-12 -- base=main",

  async run(args, terminal) {
    const { own, params } = splitParams(args);
    const { values, positionals } = parseArgs({
      args: own,
      allowPositionals: true,
      options: {
        tag: { type: "string", default: "main" },
        instance: { type: "string" },
        project: { type: "string" },
        json: { type: "boolean", default: false },
      },
    });
    const [workflow, text, ...more] = positionals;
    if (workflow === undefined) throw new UsageError("run needs the name of a workflow.");
    if (more.length > 0) throw new UsageError("run takes one message; quote it.");
    const message = text === "-" ? await terminal.stdin() : text;

    using interrupted = interruption();
    await using project = await openLiveProject(localOptions(findProject(resolve(terminal.cwd, values.project ?? "."))));
    const transcript = createTranscript(terminal.out, paintFor(terminal.out, terminal.env));
    try {
      const ended = await runWorkflow(
        project,
        {
          workflow: workflow.replace(/\.ya?ml$/, ""),
          tag: values.instance ?? values.tag,
          params,
          ...(message === undefined ? {} : { message }),
        },
        (event) => (values.json ? void terminal.out.write(`${JSON.stringify(event)}\n`) : transcript.show(event)),
        interrupted.signal,
      );
      if (!ended.ok) return reportRefusal(terminal, ended.error, values.json);
      if (values.json) terminal.out.write(`${JSON.stringify({ type: "done", ...ended.value })}\n`);
      else if (ended.value.failed > 0) {
        terminal.err.write(`Error: ${ended.value.failed} messages could not be answered.\nSee: agent-worker call list-dead-letters\n`);
      }
      return exitCodeOf(ended.value);
    } catch (error) {
      if (!interrupted.signal.aborted) throw error;
      terminal.err.write("Interrupted. What was said is kept; the workflow goes on with the next run of this project.\n");
      return EXIT.interrupted;
    }
  },
};

/** Everything after `--` is a parameter of the workflow: `name=value`, or `name` for true. */
function splitParams(args: readonly string[]): { own: string[]; params: Record<string, string | boolean> } {
  const at = args.indexOf("--");
  if (at === -1) return { own: [...args], params: {} };
  const params: Record<string, string | boolean> = {};
  for (const argument of args.slice(at + 1)) {
    const [name = "", ...value] = argument.replace(/^--/, "").split("=");
    if (name === "") throw new UsageError(`"${argument}" is not a parameter: write name=value.`);
    params[name] = value.length === 0 ? true : value.join("=");
  }
  return { own: args.slice(0, at), params };
}
