import { isAbsolute } from "node:path";
import type { RequestResult, RunEvent } from "../../contract/work-request.ts";
import { NOTHING_USED } from "../../domain/budget/usage.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import type { ParamValue } from "../../domain/workflow/params.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { requestResult } from "./request-result.ts";
import { observeRequest, type RequestScope } from "./watch-request.ts";
import type { RunningProject } from "../running-project.ts";
import { unansweredIn } from "../workflows/unanswered.ts";
import { whileWatched } from "./while-watched.ts";
import type { StartRequest } from "../workflows/workflow-lifecycle.ts";

export interface WorkflowRequest {
  /** Its name in the project, or the absolute path of its file. */
  readonly workflow: string;
  readonly tag?: string | undefined;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, ParamValue>> | readonly string[] | undefined;
  readonly until: "idle" | "started";
}

export async function runWorkflow(
  project: RunningProject,
  workRequest: WorkflowRequest,
  tell: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { workflow, tag = DEFAULT_TAG, params = {}, message, until } = workRequest;
  const named = isAbsolute(workflow) ? project.definitions.addWorkflow(workflow) : ok({ name: workflow });
  if (!named.ok) return named;
  const said = message === undefined ? {} : { message };
  const request = { workflow: named.value.name, tag, params, untilIdle: until === "idle", ...said };
  return startAndFollow(project, request, tell, signal);
}

/** Everything in the workspace of a workflow belongs to it. */
const EVERYTHING: RequestScope = { run: () => Promise.resolve(true), message: () => true };

/** For what goes on without those who watch it. */
export const NEVER: AbortSignal = new AbortController().signal;

export async function startAndFollow(
  project: RunningProject,
  request: Omit<StartRequest, "watch">,
  tell: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { workflow, tag } = request;
  const space = formatSpace({ kind: "workspace", workflow, tag });
  using watch = observeRequest(project, space, tell);
  const starting = project.workflows.start({ ...request, watch: (text) => tell({ type: "setup", text }) }, NEVER);
  const started = await whileWatched(starting, signal);
  if (!started.ok) return started;

  const { participants } = started.value;
  tell({ type: "started", space, participants });
  watch.follow(EVERYTHING);
  if (request.untilIdle) await project.workflows.untilDone(space, signal);
  await watch.caughtUp();

  return await project.store.read(async (store) => {
    if (!request.untilIdle) {
      return ok(await requestResult(store, { space, participants, watch, failed: [], used: NOTHING_USED }));
    }
    const life = (await store.workspaces.status(space))?.openedAt ?? 0;
    const failed = await unansweredIn(store, space, life);
    const used = await store.usage.ofLife(space, life);
    return ok(await requestResult(store, { space, participants, watch, failed, used }));
  });
}
