import { deliveriesWithin } from "../../operations/spaces/deliveries-within.ts";
import { isAbsolute } from "node:path";
import type { RequestResult, RunEvent } from "../../contract/service/work-request.ts";
import { NOTHING_USED } from "../../domain/budget/usage.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import type { ParamValue } from "../../domain/workflow/params.ts";
import type { Environment } from "../../domain/workflow/start-variables.ts";
import { abortable } from "../../kernel/abortable.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { RunningProject } from "../running-project.ts";
import type { StartRequest } from "../workflows/workflow-lifecycle.ts";
import { reportWaiting } from "./report-waiting.ts";
import { outcomeOfRequest, outcomeOfStart } from "./request-outcome.ts";
import { requestResult } from "./request-result.ts";
import { showSetup } from "./show-setup.ts";
import { untilWaitsTooLong, type ReadDeliveries } from "./wait-limit.ts";
import { observeRequest, type RequestScope } from "./watch-request.ts";

export interface WorkflowRequest {
  /** Its name in the project, or the absolute path of its file. */
  readonly workflow: string;
  readonly tag?: string | undefined;
  /** Go on in the last instance of the workspace. */
  readonly continue?: boolean | undefined;
  readonly message?: string | undefined;
  /** Documents that the workspace begins with, by name. */
  readonly documents?: Readonly<Record<string, string>> | undefined;
  readonly params?: Readonly<Record<string, ParamValue>> | readonly string[] | undefined;
  /** Of the caller, for this start only. */
  readonly env?: Environment | undefined;
  readonly until: "idle" | "started";
  readonly waitLimitMs?: number | undefined;
}

export async function runWorkflow(
  project: RunningProject,
  workRequest: WorkflowRequest,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { workflow, tag = DEFAULT_TAG, params = {}, message, env, until, waitLimitMs } = workRequest;
  // What the project file gives to the workflow of a file must be as it is now.
  if (isAbsolute(workflow)) await project.definitions.refresh();
  const named = isAbsolute(workflow) ? project.definitions.readWorkflow(workflow) : ok({ name: workflow, file: null });
  if (!named.ok) return named;
  const start = {
    workflow: named.value.name,
    file: named.value.file,
    tag,
    params,
    untilIdle: until === "idle",
    staysOpen: true,
    continue: workRequest.continue ?? false,
    documents: workRequest.documents ?? {},
  };
  const more = { ...(message === undefined ? {} : { message }), ...(env === undefined ? {} : { env }) };
  return startAndFollow(project, { ...start, ...more }, waitLimitMs, emit, signal);
}

/**
 * Runs the agents that the request itself defines on one message, which all of them get. They are a workflow in memory
 * that is removed when its workspace closes, whether the caller still waits or not.
 */
export async function runTeam(
  project: RunningProject,
  {
    agents,
    message,
    waitLimitMs,
  }: {
    readonly agents: Readonly<Record<string, unknown>>;
    readonly message: string;
    readonly waitLimitMs?: number | undefined;
  },
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { definitions } = project;
  const team = definitions.addTeam(agents);
  if (!team.ok) return team;
  project.services.trust.acceptTeam(team.value);
  const { name } = team.value;
  const space = formatSpace({ kind: "workspace", workflow: name, tag: DEFAULT_TAG });
  const remove = async (): Promise<void> => {
    definitions.removeTeam(name);
    await project.store.retire(space);
  };
  const work = async (): Promise<Result<RequestResult, Refusal>> => {
    const request = { workflow: name, tag: DEFAULT_TAG, params: {}, message, untilIdle: true, staysOpen: false };
    try {
      const result = await startAndFollow(project, request, waitLimitMs, emit, NEVER);
      if (!result.ok || result.value.outcome !== "parked") await remove();
      else void project.workflows.untilDone(space, NEVER).then(remove, remove);
      return result;
    } catch (error) {
      await remove();
      throw error;
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
  waitLimitMs: number | undefined,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const { workflow, file, tag } = request;
  const space = formatSpace({ kind: "workspace", workflow, tag });
  const repliesElsewhere = project.definitions.workflow(workflow, file)?.workspace.channel === false;
  using watch = observeRequest(project, space, emit, { repliesElsewhere, withSubSpaces: true });
  const setup = showSetup(emit, (text) => project.services.redact(text));
  const starting = project.workflows.start({ ...request, watch: setup.watch }, NEVER);
  const started = await abortable(starting, signal);
  setup.end();
  if (!started.ok) return started;

  const { participants, woke, warnings } = started.value;
  emit({ type: "started", space, participants, warnings });
  watch.follow(EVERYTHING);
  using _waiting = reportWaiting(project, space, emit);
  const place = { space, participants, warnings, toolCalls: watch.toolCalls };
  if (!request.untilIdle) {
    await watch.caughtUp();
    return await project.store.read(async (store) => {
      const end = await outcomeOfStart(store, space, woke ?? true);
      return ok(await requestResult(store, { ...place, answer: watch.answer, end, used: NOTHING_USED }));
    });
  }
  const openedAt = await project.store.read(async (store) => (await store.workspaces.status(space))?.openedAt ?? 0);
  const deliveries: ReadDeliveries = (store) => deliveriesWithin(store, space, openedAt);
  await untilDone(project, { space, deliveries }, waitLimitMs, signal);
  await watch.caughtUp();

  return await project.store.read(async (store) => {
    const end = await outcomeOfRequest(store, { space, deliveries: await deliveries(store), woke: woke ?? false });
    const used = await store.usage.sinceOpening(space, openedAt);
    return ok(await requestResult(store, { ...place, answer: watch.answer, end, used }));
  });
}

/** Resolves when the workflow is done, or when it only waits and will for longer than the limit. */
async function untilDone(
  project: RunningProject,
  request: { readonly space: string; readonly deliveries: ReadDeliveries },
  waitLimitMs: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const done = project.workflows.untilDone(request.space, until);
  const tooLong = untilWaitsTooLong(project, request, waitLimitMs, until);
  for (const each of [done, tooLong]) each.catch(() => {});
  try {
    await Promise.race([done, tooLong]);
  } finally {
    ended.abort();
  }
}
