import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { isEnvironmentName } from "../../domain/workflow/placeholder.ts";
import { bindParams, parseParamArgs, type ParamValue } from "../../domain/workflow/params.ts";
import { buildScope, type Scope } from "../../domain/workflow/scope.ts";
import { abortable } from "../../kernel/abortable.ts";
import { systemCaller } from "../../kernel/caller.ts";
import type { Log } from "../../kernel/log.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { refuseUnseen } from "../../operations/trust/refuse-unseen.ts";
import { beginWorkflow } from "../../operations/workspaces/begin-workflow.ts";
import { closeWorkspace } from "../../operations/workspaces/close-workspace.ts";
import { findWorkflow } from "../../operations/workspaces/find-workflow.ts";
import { postKickoff } from "../../operations/workspaces/post-kickoff.ts";
import type { Shell } from "../../ports/shell.ts";
import type { OpenProject } from "../open-project.ts";
import type { IdleWatch } from "./idle-watch.ts";
import { interruptClosed, type InterruptRun } from "./interrupt-closed.ts";
import { runSetup } from "./run-setup.ts";
import { unansweredIn } from "./unanswered.ts";

/**
 * Starts workflows: setup, then kickoff. Workflows started with `untilIdle` are closed when they are idle, whether a
 * caller waits for that or not; after a restart the next daemon closes them.
 */
export interface WorkflowLifecycle extends AsyncDisposable {
  start(request: StartRequest, signal: AbortSignal): Promise<Result<StartedWorkflow, Refusal>>;
  /**
   * Closes the workspace when it is idle. Resolves then, or when another caller has closed it. The signal ends only
   * the waiting: a workflow started with `untilIdle` is closed anyway.
   */
  untilDone(space: string, signal: AbortSignal): Promise<FinishedWorkflow>;
  /** Resumes the workflows that an earlier daemon process had started. */
  recover(): Promise<void>;
}

export interface StartRequest {
  readonly workflow: string;
  readonly tag: string;
  /** Go on in the last instance of the workspace instead of beginning a new one. */
  readonly continue?: boolean;
  /** By name, or as a person typed them after `--`. */
  readonly params: Readonly<Record<string, ParamValue>> | readonly string[];
  /** Added to the kickoff. */
  readonly message?: string;
  readonly untilIdle: boolean;
  /** Called with the output of setup commands. */
  readonly watch: (text: string) => void;
}

export interface StartedWorkflow {
  readonly space: string;
  readonly participants: readonly string[];
}

export interface FinishedWorkflow {
  /** How many deliveries became dead letters, or were left because their agent was stopped. */
  readonly failed: number;
}

/** What the composition root supplies to start workflows. */
export interface WorkflowParts {
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly shell: Shell;
  /** Returns the absolute folder of a setup step. Refused when it leads out of the project. */
  readonly folder: (cwd: string | undefined) => Result<string, Refusal>;
}

const LONGEST_REASON = 4000;

export function createWorkflowLifecycle(
  project: OpenProject,
  idle: IdleWatch,
  parts: WorkflowParts & { readonly interrupt: InterruptRun },
): WorkflowLifecycle {
  const { system, definitions } = project;
  const { log } = parts;
  const closing = new AbortController();
  const unsettled = new Set<Promise<void>>();
  /** The ends of workflows that are closed when idle, by space. */
  const ends = new Map<string, Promise<FinishedWorkflow>>();

  const begin = async (request: StartRequest, signal: AbortSignal): ReturnType<WorkflowLifecycle["start"]> => {
    await definitions.refresh();
    const workflow = findWorkflow(definitions, request.workflow);
    if (!workflow.ok) return workflow;
    const unseen = project.services.trust.unseenOfWorkflow(workflow.value);
    if (unseen.length > 0) return refuseUnseen(`The workflow ${workflow.value.name}`, unseen);
    const values = isTyped(request.params) ? parseParamArgs(request.params, workflow.value.params) : ok(request.params);
    if (!values.ok) return values;
    const params = bindParams(workflow.value.params, values.value);
    if (!params.ok) return params;

    const { tag, untilIdle, continue: goOn = false } = request;
    const { name } = workflow.value;
    if (!goOn) await interruptClosed(project, parts.interrupt, { workflow: name, tag });
    const begun = await system.propose(systemCaller, beginWorkflow, { workflow: name, tag, untilIdle, continue: goOn });
    if (!begun.ok) return begun;
    const { space, participants } = begun.value;
    using _setup = idle.hold(space);
    try {
      const ready = await prepareKickoff(project, parts, workflow.value, begun.value, params.value, request, signal);
      const posted = ready.ok
        ? await system.propose(systemCaller, postKickoff, { space, untilIdle, ...ready.value })
        : ready;
      if (posted.ok) return ok({ space, participants });
      await system.propose(systemCaller, closeWorkspace, { target: space, reason: reasonOf(posted.error) });
      return posted;
    } catch (error) {
      await system.propose(systemCaller, closeWorkspace, { target: space, reason: "The start was interrupted." });
      throw error;
    }
  };

  /** Closing the project interrupts this work and waits for it. */
  const track = (work: Promise<unknown>): void => {
    const settled = work.then(
      () => {},
      () => {},
    );
    unsettled.add(settled);
    void settled.then(() => unsettled.delete(settled));
  };

  const closeWhenIdle = async (space: string, signal: AbortSignal): Promise<FinishedWorkflow> => {
    const read = () => project.store.read((store) => store.workspaces.byKey(space));
    // A workspace that was reopened meanwhile is not closed here, and dead letters from before it opened do not count.
    const openedAt = (await read())?.openedAt ?? 0;
    await idle.untilIdle(space, signal);
    const workspace = await read();
    if (workspace?.state === "open" && workspace.openedAt === openedAt) {
      await system.propose(systemCaller, closeWorkspace, { target: space });
    }
    const failed = await project.store.read((store) => unansweredIn(store, space, openedAt));
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
    track(end);
  };

  const start: WorkflowLifecycle["start"] = (request, signal) => {
    const starting = begin(request, AbortSignal.any([signal, closing.signal])).then((started) => {
      if (started.ok && request.untilIdle) endWhenIdle(started.value.space);
      return started;
    });
    track(starting);
    return starting;
  };

  const untilDone: WorkflowLifecycle["untilDone"] = (space, signal) => {
    const end = ends.get(space);
    return end === undefined ? closeWhenIdle(space, AbortSignal.any([signal, closing.signal])) : abortable(end, signal);
  };

  return {
    start,
    untilDone,
    async recover() {
      for (const { space, phase, untilIdle } of await project.store.read((store) => store.instances.running())) {
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
      await Promise.all(unsettled);
    },
  };
}

interface Kickoff {
  readonly kickoff?: {
    readonly text: string;
    readonly inert: { start: number; end: number }[];
    readonly personsOwn: boolean;
  };
}

async function prepareKickoff(
  project: OpenProject,
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
      projectDir: project.dir,
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
  const redact = (text: string): string => project.services.redact(text);
  const redacted = (scope: Scope): Scope => new Map([...scope].map(([name, value]) => [name, redact(value)]));
  const outputs = await runSetup(workflow.setup, scopeOf, { ...parts, redact, watch: request.watch }, signal);
  if (!outputs.ok) return outputs;

  // Secrets are removed before the values are filled in: afterwards the positions of the values would be wrong.
  const filled = interpolate(workflow.kickoff ?? "", redacted(scopeOf(outputs.value)));
  if (!filled.ok) return filled;
  const message = redact(request.message ?? "");
  const { text, inert } = filled.value.text.trim() === "" ? { text: "", inert: [] } : filled.value;
  const kickoff = [text, message].filter((part) => part.trim() !== "").join("\n\n");
  const isPersons = (name: string): boolean => !isEnvironmentName(name) && !Object.hasOwn(outputs.value, name);
  const personsOwn = filled.value.names.every(isPersons);
  return ok(kickoff === "" ? {} : { kickoff: { text: kickoff, inert: [...inert], personsOwn } });
}

function reasonOf({ message, hint }: Refusal): string {
  return `The start failed. ${message}${hint === undefined ? "" : `\n${hint}`}`.slice(0, LONGEST_REASON);
}

function isTyped(params: StartRequest["params"]): params is readonly string[] {
  return Array.isArray(params);
}
