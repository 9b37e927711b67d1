import { parseArgs } from "node:util";
import { UsageError, type Terminal } from "./command.ts";
import type { WorkflowRun } from "./run-workflow.ts";

/** What `run` and `start` are told: which workflow, with what, where, and how to show it. */
export interface WorkflowArguments {
  /** Absent when no workflow was named. */
  readonly request: WorkflowRun | undefined;
  readonly project: string | undefined;
  readonly json: boolean;
}

export async function parseWorkflowArguments(args: readonly string[], terminal: Terminal): Promise<WorkflowArguments> {
  const at = args.indexOf("--");
  const own = at === -1 ? [...args] : args.slice(0, at);
  const params = at === -1 ? [] : args.slice(at + 1);
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
  if (more.length > 0) throw new UsageError("There is one message at most; quote it.");
  const message = text === "-" ? await terminal.stdin() : text;
  const tag = values.instance ?? values.tag;
  const request: WorkflowRun | undefined =
    workflow === undefined ? undefined : { workflow, tag, params, ...(message === undefined ? {} : { message }) };
  return { request, project: values.project, json: values.json };
}
