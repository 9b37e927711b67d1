import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { WorkRequest } from "../../contract/service/work-request.ts";
import type { Invocation } from "../invocation.ts";
import type { OptionTable, OptionValues } from "./option.ts";
import { textArgument } from "./text-argument.ts";
import { UsageError } from "./usage-error.ts";

/** The arguments that `run`, `serve` and `start` share. */
export const RUN_WORDS = ["WORKFLOW|FILE|AGENT", "[MESSAGE]"] as const;
export const RUN_REST = "name=value ...";
export const RUN_OPTIONS = {
  tag: { value: "TAG", about: "Which instance of the workflow (main)" },
  instance: { value: "TAG", about: "The same as --tag" },
  continue: { about: "Go on in the last instance, with its channel and documents, instead of beginning a new one" },
} as const satisfies OptionTable;

type WorkflowRequest = Extract<WorkRequest, { workflow: string }>;

/** Returns the work request, assuming that the first word names a workflow. */
export async function workflowRequest(
  invocation: Invocation & { readonly options: OptionValues<typeof RUN_OPTIONS> },
): Promise<WorkflowRequest> {
  const { words, options, rest, terminal } = invocation;
  const [name = "", text] = words;
  if (options.tag !== undefined && options.instance !== undefined) {
    throw new UsageError("--tag and --instance mean the same; give one.");
  }
  const tag = options.tag ?? options.instance;
  return {
    workflow: workflowName(name, terminal.cwd),
    tag,
    continue: options.continue ? true : undefined,
    message: await textArgument(text, terminal),
    params: rest.length === 0 ? undefined : [...rest],
  };
}

/** Returns the path of a file that exists; otherwise `review.yaml` means the workflow `review` of the project. */
function workflowName(text: string, cwd: string): string {
  if (!/\.ya?ml$/.test(text)) return text;
  const path = resolve(cwd, text);
  return existsSync(path) ? path : basename(text).replace(/\.ya?ml$/, "");
}

/** Returns the same request for an agent, or undefined when the first word does not name one. */
export async function agentRequest(
  invocation: Invocation,
  { workflow: name, message }: WorkflowRequest,
): Promise<WorkRequest | undefined> {
  const shown = await (await invocation.client()).call("show-agent", { name });
  if (!shown.ok) return undefined;
  if (message === undefined) throw new UsageError(`${name} is an agent: say what it is asked.`);
  return { agent: name, message };
}
