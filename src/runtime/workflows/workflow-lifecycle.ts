import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { bindParams, parseParamArgs, type ParamValue } from "../../domain/workflow/params.ts";
import { buildScope, type Scope } from "../../domain/workflow/scope.ts";
import { system as systemCaller } from "../../kernel/caller.ts";
import type { Log } from "../../kernel/log.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { System } from "../../kernel/system.ts";
import { beginWorkflow } from "../../operations/workspaces/begin-workflow.ts";
import { closeWorkspace } from "../../operations/workspaces/close-workspace.ts";
import type { Services, ProductTypes } from "../../operations/core/define.ts";
import { findWorkflow } from "../../operations/workspaces/find-workflow.ts";
import { postKickoff } from "../../operations/workspaces/post-kickoff.ts";
import type { Shell } from "../../ports/shell.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { IdleWatch } from "./idle-watch.ts";
import { runSetup } from "./run-setup.ts";
import { unansweredIn } from "./unanswered.ts";
import { whileWatched } from "../requests/while-watched.ts";

/**
 * Starts workflows and ends them: setup, kickoff, work, and the end when nothing is left to do, for those that were
 * started until then. That end needs nobody who waits for it, and the next daemon takes it over.
 */
export interface WorkflowLifecycle extends AsyncDisposable {
  start(request: StartRequest, signal: AbortSignal): Promise<Result<StartedWorkflow, Refusal>>;
  /**
   * Resolves when the workspace is idle and closed, or was closed by somebody else. The signal ends the waiting; a
   * workflow that was started until it is idle is closed all the same.
   */
  untilDone(space: string, signal: AbortSignal): Promise<FinishedWorkflow>;
  isInSetup(space: string): boolean;
  /** Goes on with what a daemon that died had started. */
  recover(): Promise<void>;
}

export interface StartRequest {
  readonly workflow: string;
  readonly tag: string;
  /** By name, or as they were typed after `--`. */
  readonly params: Readonly<Record<string, ParamValue>> | readonly string[];
  /** Said after the kickoff, in a person's words. */
  readonly message?: string;
  readonly untilIdle: boolean;
  /** Output of setup commands, as it comes. */
  readonly watch: (text: string) => void;
}

export interface StartedWorkflow {
  readonly space: string;
  readonly participants: readonly string[];
}

export interface FinishedWorkflow {
  /** Deliveries that became dead letters, or that nobody was left to take. */
  readonly failed: number;
}

export interface WorkflowParts {
  readonly system: System<ProductTypes>;
  readonly services: Services;
  readonly shell: Shell;
  readonly idle: () => IdleWatch;
  readonly log: Log;
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: (cwd: string | undefined) => Result<string, Refusal>;
  readonly read: <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>;
}

const LONGEST_REASON = 4000;

export function createWorkflowLifecycle(parts: WorkflowParts): WorkflowLifecycle {
  const { system, services, log } = parts;
  const inSetup = new Set<string>();
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** The ends that will come by themselves, by space. */
  const ends = new Map<string, Promise<FinishedWorkflow>>();

  const begin = async (request: StartRequest, signal: AbortSignal): ReturnType<WorkflowLifecycle["start"]> => {
    await services.definitions.refresh();
    const workflow = findWorkflow(services.definitions, request.workflow);
    if (!workflow.ok) return workflow;
    const given = isTyped(request.params) ? parseParamArgs(request.params, workflow.value.params) : ok(request.params);
    if (!given.ok) return given;
    const params = bindParams(workflow.value.params, given.value);
    if (!params.ok) return params;

    const { tag, untilIdle } = request;
    const begun = await system.propose(systemCaller, beginWorkflow, { workflow: workflow.value.name, tag, untilIdle });
    if (!begun.ok) return begun;
    const { space, participants } = begun.value;
    inSetup.add(space);
    try {
      const ready = await prepareKickoff(parts, workflow.value, begun.value, params.value, request, signal);
      const posted = ready.ok
        ? await system.propose(systemCaller, postKickoff, { space, untilIdle, ...ready.value })
        : ready;
      if (posted.ok) return ok({ space, participants });
      await system.propose(systemCaller, closeWorkspace, { target: space, reason: reasonOf(posted.error) });
      return posted;
    } catch (error) {
      await system.propose(systemCaller, closeWorkspace, { target: space, reason: "The start was interrupted." });
      throw error;
    } finally {
      inSetup.delete(space);
      parts.idle().touch(space);
    }
  };

  /** What is under way when the project closes is interrupted, and waited for. */
  const keepTrack = (work: Promise<unknown>): void => {
    const settled = work.then(
      () => {},
      () => {},
    );
    underWay.add(settled);
    void settled.then(() => underWay.delete(settled));
  };

  const closeWhenIdle = async (space: string, signal: AbortSignal): Promise<FinishedWorkflow> => {
    const read = () => parts.read((store) => store.workspaces.byKey(space));
    // A workspace that is opened again has another life, with an end and dead letters of its own.
    const life = (await read())?.openedAt ?? 0;
    await parts.idle().untilIdle(space, signal);
    const workspace = await read();
    if (workspace?.state === "open" && workspace.openedAt === life) {
      await system.propose(systemCaller, closeWorkspace, { target: space });
    }
    const failed = await parts.read((store) => unansweredIn(store, space, life));
    return { failed: failed.length };
  };

  const endWhenIdle = (space: string): void => {
    const end = closeWhenIdle(space, closing.signal).finally(() => {
      if (ends.get(space) === end) ends.delete(space);
    });
    ends.set(space, end);
    end.catch((error: unknown) => {
      if (!closing.signal.aborted) log.error("could not end a workflow", { space, error });
    });
    keepTrack(end);
  };

  const start: WorkflowLifecycle["start"] = (request, signal) => {
    const starting = begin(request, AbortSignal.any([signal, closing.signal])).then((started) => {
      if (started.ok && request.untilIdle) endWhenIdle(started.value.space);
      return started;
    });
    keepTrack(starting);
    return starting;
  };

  const untilDone: WorkflowLifecycle["untilDone"] = (space, signal) => {
    const end = ends.get(space);
    return end === undefined
      ? closeWhenIdle(space, AbortSignal.any([signal, closing.signal]))
      : whileWatched(end, signal);
  };

  return {
    start,
    untilDone,
    isInSetup: (space) => inSetup.has(space),
    async recover() {
      for (const { space, phase, untilIdle } of await parts.read((store) => store.instances.running())) {
        if (phase === "setup") {
          log.warn("a workflow was interrupted during its setup; it is closed and can be started again", { space });
          const reason = "The setup was interrupted. Start the workflow again.";
          await system.propose(systemCaller, closeWorkspace, { target: space, reason });
        } else if (untilIdle) {
          endWhenIdle(space);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

type Kickoff = { readonly kickoff?: { readonly text: string; readonly inert: { start: number; end: number }[] } };

async function prepareKickoff(
  parts: WorkflowParts,
  workflow: WorkflowDefinition,
  workspace: { readonly space: string; readonly tag: string; readonly dir: string },
  params: Readonly<Record<string, string>>,
  request: StartRequest,
  signal: AbortSignal,
): Promise<Result<Kickoff, Refusal>> {
  const scopeOf = (outputs: Readonly<Record<string, string>>): Scope =>
    buildScope({
      workflow: workflow.name,
      tag: workspace.tag,
      projectDir: parts.projectDir,
      env: parts.env,
      params,
      outputs,
      ...(workflow.workspace.channel
        ? {
            context: {
              channel: `${workspace.dir}/${workflow.workspace.channelFile}`,
              document: `${workspace.dir}/documents/${workflow.workspace.documentFile}`,
            },
          }
        : {}),
    });
  const redact = (text: string): string => parts.services.redact(text);
  const cleaned = (scope: Scope): Scope => new Map([...scope].map(([name, value]) => [name, redact(value)]));
  const outputs = await runSetup(workflow.setup, scopeOf, { ...parts, redact, watch: request.watch }, signal);
  if (!outputs.ok) return outputs;

  // Secrets are taken out before the text is put together: afterwards the places of what was filled in would be wrong.
  const filled = interpolate(workflow.kickoff ?? "", cleaned(scopeOf(outputs.value)));
  if (!filled.ok) return filled;
  const said = redact(request.message ?? "");
  const { text, inert } = filled.value.text.trim() === "" ? { text: "", inert: [] } : filled.value;
  const whole = [text, said].filter((part) => part.trim() !== "").join("\n\n");
  return ok(whole === "" ? {} : { kickoff: { text: whole, inert: [...inert] } });
}

function reasonOf({ message, hint }: Refusal): string {
  return `The start failed. ${message}${hint === undefined ? "" : `\n${hint}`}`.slice(0, LONGEST_REASON);
}

function isTyped(params: StartRequest["params"]): params is readonly string[] {
  return Array.isArray(params);
}
