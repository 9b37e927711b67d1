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
  if (more.length > 0) throw new UsageError("There is one message at most; quote it.");
  const message = text === "-" ? await terminal.stdin() : text;
  const tag = values.instance ?? values.tag;
  const request: WorkflowRun | undefined =
    workflow === undefined
      ? undefined
      : { workflow: workflow.replace(/\.ya?ml$/, ""), tag, params, ...(message === undefined ? {} : { message }) };
  return { request, project: values.project, json: values.json };
}

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
