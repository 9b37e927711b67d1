import { isAbsolute } from "node:path";
import type { RequestResult, RunEvent } from "../../contract/service/work-request.ts";
import { NOTHING_USED } from "../../domain/budget/usage.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import type { ParamValue } from "../../domain/workflow/params.ts";
import { abortable } from "../../kernel/abortable.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { RunningProject } from "../running-project.ts";
import { unansweredIn } from "../workflows/unanswered.ts";
import type { StartRequest } from "../workflows/workflow-lifecycle.ts";
import { requestResult } from "./request-result.ts";
import { observeRequest, type RequestScope } from "./watch-request.ts";

export interface WorkflowRequest {
  /** Its name in the project, or the absolute path of its file. */
  readonly workflow: string;
  readonly tag?: string | undefined;
  /** Go on in the last instance of the workspace. */
  readonly continue?: boolean | undefined;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, ParamValue>> | readonly string[] | undefined;
  readonly until: "idle" | "started";
}

export async function runWorkflow(
  project: RunningProject,
  workRequest: WorkflowRequest,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { workflow, tag = DEFAULT_TAG, params = {}, message, until, continue: goOn = false } = workRequest;
  const definition = isAbsolute(workflow) ? project.definitions.addWorkflow(workflow) : ok({ name: workflow });
  if (!definition.ok) return definition;
  const request = { workflow: definition.value.name, tag, params, untilIdle: until === "idle", continue: goOn };
  return startAndFollow(project, message === undefined ? request : { ...request, message }, emit, signal);
}

/**
 * Runs the agents that the request itself defines on one message, which all of them get. They are a workflow in memory
 * that is removed when its workspace closes, whether the caller still waits or not.
 */
export async function runTeam(
  project: RunningProject,
  { agents, message }: { readonly agents: Readonly<Record<string, unknown>>; readonly message: string },
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { definitions } = project;
  const team = definitions.addTeam(agents);
  if (!team.ok) return team;
  project.services.trust.acceptTeam(team.value);
  const { name } = team.value;
  const work = async (): Promise<Result<RequestResult, Refusal>> => {
    try {
      const request = { workflow: name, tag: DEFAULT_TAG, params: {}, message, untilIdle: true };
      return await startAndFollow(project, request, emit, NEVER);
    } finally {
      definitions.removeTeam(name);
      await project.store.retire(formatSpace({ kind: "workspace", workflow: name, tag: DEFAULT_TAG }));
    }
  };
  return abortable(work(), signal);
}

/** Everything in the workspace of a workflow belongs to its request. */
const EVERYTHING: RequestScope = { run: () => Promise.resolve(true), message: () => true };

/** For work that goes on after its client has disconnected. */
const NEVER: AbortSignal = new AbortController().signal;

async function startAndFollow(
  project: RunningProject,
  request: Omit<StartRequest, "watch">,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { workflow, tag } = request;
  const space = formatSpace({ kind: "workspace", workflow, tag });
  using watch = observeRequest(project, space, emit);
  const starting = project.workflows.start({ ...request, watch: (text) => emit({ type: "setup", text }) }, NEVER);
  const started = await abortable(starting, signal);
  if (!started.ok) return started;

  const { participants } = started.value;
  emit({ type: "started", space, participants });
  watch.follow(EVERYTHING);
  if (request.untilIdle) await project.workflows.untilDone(space, signal);
  await watch.caughtUp();

  return await project.store.read(async (store) => {
    if (!request.untilIdle) {
      return ok(await requestResult(store, { space, participants, watch, failed: [], used: NOTHING_USED }));
    }
    const openedAt = (await store.workspaces.status(space))?.openedAt ?? 0;
    const failed = await unansweredIn(store, space, openedAt);
    const used = await store.usage.sinceOpening(space, openedAt);
    return ok(await requestResult(store, { space, participants, watch, failed, used }));
  });
}
