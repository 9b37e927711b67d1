import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { WorkRequest } from "../../contract/service/work-request.ts";
import type { OptionTable, OptionValues } from "./option.ts";
import type { Invocation } from "../invocation.ts";
import { UsageError } from "./usage-error.ts";

/** What `run`, `serve` and `start` have in common. */
export const RUN_WORDS = ["WORKFLOW|FILE|AGENT", "[MESSAGE]"] as const;
export const RUN_REST = "name=value ...";
export const RUN_OPTIONS = {
  tag: { value: "TAG", about: "Which instance of the workflow (main)" },
  instance: { value: "TAG", about: "The same as --tag" },
} as const satisfies OptionTable;

type WorkflowRequest = Extract<WorkRequest, { workflow: string }>;

/** What is to be done, should the first word be a workflow. */
export async function workflowRequest(
  invocation: Invocation & { readonly options: OptionValues<typeof RUN_OPTIONS> },
): Promise<WorkflowRequest> {
  const { words, options, rest, terminal } = invocation;
  const [name = "", text] = words;
  if (options.tag !== undefined && options.instance !== undefined) {
    throw new UsageError("--tag and --instance mean the same; give one.");
  }
  const tag = options.tag ?? options.instance;
  const message = text === "-" ? await terminal.stdin() : text;
  return {
    workflow: workflowName(name, terminal.cwd),
    tag,
    message,
    params: rest.length === 0 ? undefined : [...rest],
  };
}

/** A path that leads to a file is that file; otherwise `review.yaml` is the project's own `review`. */
function workflowName(text: string, cwd: string): string {
  if (!/\.ya?ml$/.test(text)) return text;
  const path = resolve(cwd, text);
  return existsSync(path) ? path : basename(text).replace(/\.ya?ml$/, "");
}

/**
 * The same as a question to an agent, when that is what the first word names after all. Without a message there is
 * nothing to ask.
 */
export async function agentRequest(
  invocation: Invocation,
  workRequest: WorkflowRequest,
): Promise<WorkRequest | undefined> {
  const { workflow: name, message } = workRequest;
  const found = await (await invocation.client()).call("show-agent", { name });
  if (!found.ok) return undefined;
  if (message === undefined) throw new UsageError(`${name} is an agent: say what it is asked.`);
  return { agent: name, message };
}
