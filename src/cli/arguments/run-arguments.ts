import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Client } from "../../client/client.ts";
import type { WorkRequest } from "../../contract/service/work-request.ts";
import { pickVariables, type Environment } from "../../domain/workflow/start-variables.ts";
import { parseDuration } from "../../domain/schedule/duration.ts";
import type { Invocation } from "../invocation.ts";
import { Refused } from "../refused.ts";
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

/** The option of `run` and `serve` that limits how long they only wait. */
export const WAIT_LIMIT = {
  "wait-limit": {
    value: "TIME",
    about: "How long it may only wait, for quota or an approval, before it ends as parked: 10m",
  },
} as const satisfies OptionTable;

/** Returns the value of `--wait-limit` in milliseconds. */
export function waitLimit(options: OptionValues<typeof WAIT_LIMIT>): number | undefined {
  const text = options["wait-limit"];
  if (text === undefined) return undefined;
  const duration = parseDuration(text);
  if (!duration.ok) throw new UsageError(`--wait-limit: ${duration.error.message}`, duration.error.hint);
  return duration.value;
}

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

/**
 * Returns the request with the caller's variables that the workflow uses. The daemon says which, and only when a person
 * has allowed what the workflow does: until then no value leaves this process. What the name means otherwise, and what
 * is wrong with it, the request itself will say.
 */
export async function withVariables(
  client: Pick<Client, "call">,
  request: WorkflowRequest,
  env: Environment,
): Promise<WorkflowRequest> {
  const listed = await client.call("list-start-variables", { workflow: request.workflow });
  if (listed.ok) return { ...request, env: pickVariables(env, listed.value.names) };
  if (listed.error.code === "untrusted") throw new Refused(listed.error);
  return request;
}

/** Returns the path of a file that exists; otherwise `review.yaml` means the workflow `review` of the project. */
function workflowName(text: string, cwd: string): string {
  if (!/\.ya?ml$/.test(text)) return text;
  const path = resolve(cwd, text);
  if (existsSync(path)) return path;
  // The name of a file may stand for its workflow. A path that leads nowhere must not start another one.
  if (basename(text) !== text) throw new UsageError(`There is no file ${path}.`);
  return text.replace(/\.ya?ml$/, "");
}

/**
 * Returns the same request for an agent. `refused` is why there is no such workflow. Throws when there is no such agent
 * either.
 */
export async function agentRequest(
  invocation: Invocation,
  { workflow: name, message, waitLimitMs }: WorkflowRequest,
  refused: Refused,
): Promise<WorkRequest> {
  const shown = await (await invocation.client()).call("show-agent", { name });
  if (!shown.ok && shown.error.code !== "not_found") throw refused;
  if (!shown.ok) {
    const { message: noWorkflow, hint = "" } = refused.refusal;
    const both = `${noWorkflow} ${shown.error.message}`;
    throw new Refused({ ...refused.refusal, message: both, hint: `${hint} ${shown.error.hint ?? ""}`.trim() });
  }
  if (message === undefined) throw new UsageError(`${name} is an agent: say what it is asked.`);
  return { agent: name, message, waitLimitMs };
}
