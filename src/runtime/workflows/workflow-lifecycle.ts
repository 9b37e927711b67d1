import type { Outcome } from "../../domain/outcome.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { liveNodes } from "../../domain/node/node.ts";
import { interpolate } from "../../domain/workflow/interpolate.ts";
import { isEnvironmentName } from "../../domain/workflow/placeholder.ts";
import { bindParams, parseParamArgs, type ParamValue } from "../../domain/workflow/params.ts";
import { buildScope, type Scope } from "../../domain/workflow/scope.ts";
import type { Environment } from "../../domain/workflow/start-variables.ts";
import { abortable } from "../../kernel/abortable.ts";
import { person, systemCaller } from "../../kernel/caller.ts";
import type { Log } from "../../kernel/log.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { writeDocument } from "../../operations/documents/write-document.ts";
import { deliveriesWithin } from "../../operations/spaces/deliveries-within.ts";
import { refuseUnseen } from "../../operations/trust/refuse-unseen.ts";
import { beginWorkflow } from "../../operations/workspaces/begin-workflow.ts";
import { closeWorkspace } from "../../operations/workspaces/close-workspace.ts";
import { endWorkflow, isStillOpen, refuseStopped } from "../../operations/workspaces/end-workflow.ts";
import { findWorkflow } from "../../operations/workspaces/find-workflow.ts";
import { keepWorkspaceOpen } from "../../operations/workspaces/keep-workspace-open.ts";
import { postKickoff } from "../../operations/workspaces/post-kickoff.ts";
import type { Shell } from "../../ports/shell.ts";
import type { OpenProject } from "../open-project.ts";
import { outcomeOfRequest } from "../requests/request-outcome.ts";
import { createCurrentStarts } from "./current-starts.ts";
import type { IdleWatch } from "./idle-watch.ts";
import { interruptClosed, type InterruptRun } from "./interrupt-closed.ts";
import { runSetup } from "./run-setup.ts";
import { startEnvironment } from "./start-environment.ts";

/**
 * Starts workflows: setup, then kickoff. Workflows started with `untilIdle` are closed when they are idle, whether a
 * caller waits for that or not; after a restart the next daemon closes them. One that a limit ended stays open, so that a
 * person can go on.
 */
export interface WorkflowLifecycle extends AsyncDisposable {
  start(request: StartRequest, signal: AbortSignal): Promise<Result<StartedWorkflow, Refusal>>;
  /**
   * Closes the workspace when it is idle, unless it stays open. Resolves then, or when another caller has closed it. The signal ends only
   * the waiting: a workflow started with `untilIdle` is closed anyway.
   */
  untilDone(space: string, signal: AbortSignal): Promise<FinishedWorkflow>;
  /** Resumes the workflows that an earlier daemon process had started. */
  recover(): Promise<void>;
}

export interface StartRequest {
  readonly workflow: string;
  /** The file of the workflow, where it is none of the project. */
  readonly file?: string | null;
  readonly tag: string;
  /** Go on in the last instance of the workspace instead of beginning a new one. */
  readonly continue?: boolean;
  /** By name, or as a person typed them after `--`. */
  readonly params: Readonly<Record<string, ParamValue>> | readonly string[];
  /** Added to the kickoff. */
  readonly message?: string;
  /** Documents that the workspace begins with, by name. */
  readonly documents?: Readonly<Record<string, string>>;
  readonly untilIdle: boolean;
  /** Variables of the person who typed it. Used for this start only. Absent: those of the daemon. */
  readonly env?: Environment;
  /** False: it is closed when it is idle even if a limit ended its work. */
  readonly staysOpen: boolean;
  /** Called with the output of setup commands. */
  readonly watch: (text: string) => void;
}

export interface StartedWorkflow {
  readonly space: string;
  readonly participants: readonly string[];
  /** False when its kickoff reached nobody, null when it has none. */
  readonly woke: boolean | null;
  /** What a person should know about the kickoff: whom it names in vain. */
  readonly warnings: readonly string[];
}

export interface FinishedWorkflow {
  readonly outcome: Outcome;
}

/** What the composition root supplies to start workflows. */
export interface WorkflowParts {
  readonly log: Log;
  readonly env: Environment;
  /** Returns the variables in the `.env` of the project. */
  readonly projectVariables: () => Readonly<Record<string, string>>;
  /** From now on the secrets among these variables are removed from texts. */
  readonly hideSecrets: (variables: Environment) => void;
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
  const starts = createCurrentStarts(project.events, (work) => project.store.read(work));
  const unsettled = new Set<Promise<void>>();
  /** The ends of workflows that are closed when idle, by space. */
  const ends = new Map<string, Promise<FinishedWorkflow>>();

  const begin = async (request: StartRequest, signal: AbortSignal): ReturnType<WorkflowLifecycle["start"]> => {
    await definitions.refresh();
    const { file = null } = request;
    const workflow = findWorkflow(definitions, request.workflow, file);
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
    const place = { workflow: name, file, tag, untilIdle, continue: goOn };
    const begun = await system.propose(systemCaller, beginWorkflow, place);
    if (!begun.ok) return begun;
    const { space, participants } = begun.value;
    const opened = { space, openedAt: Date.parse(begun.value.openedAt) };
    using _setup = project.holds.hold(space);
    try {
      const written = await writeDocuments(project, space, request.documents ?? {});
      if (!written.ok) {
        await system.propose(systemCaller, endWorkflow, { ...opened, reason: reasonOf(written.error) });
        return written;
      }
      const ready = await starts.setUp(opened, (stopped) =>
        prepareKickoff(
          project,
          parts,
          workflow.value,
          begun.value,
          params.value,
          request,
          AbortSignal.any([signal, stopped]),
        ),
      );
      if (ready === "stopped") return refuseStopped(space);
      const posted = ready.ok
        ? await system.propose(systemCaller, postKickoff, { ...opened, untilIdle, ...ready.value })
        : ready;
      if (posted.ok) return ok({ space, participants, ...posted.value });
      await system.propose(systemCaller, endWorkflow, { ...opened, reason: reasonOf(posted.error) });
      return posted;
    } catch (error) {
      await system.propose(systemCaller, endWorkflow, { ...opened, reason: "The start was interrupted." });
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

  const closeWhenIdle = async (space: string, staysOpen: boolean, signal: AbortSignal): Promise<FinishedWorkflow> => {
    // A workspace that was reopened meanwhile is not closed here, and what happened before it opened does not count.
    const openedAt = (await project.store.read((store) => store.workspaces.status(space)))?.openedAt ?? 0;
    await idle.untilIdle(space, signal);
    const { outcome, incomplete, hint } = await project.store.read(async (store) =>
      outcomeOfRequest(store, { space, deliveries: await deliveriesWithin(store, space, openedAt), woke: true }),
    );
    if (incomplete.length === 0 || !staysOpen) await system.propose(systemCaller, endWorkflow, { space, openedAt });
    else if (await project.store.read((store) => isStillOpen(store, space, openedAt))) {
      await system.propose(systemCaller, keepWorkspaceOpen, { space, hint });
    }
    return { outcome };
  };

  const endWhenIdle = (space: string, staysOpen = true): void => {
    const end = closeWhenIdle(space, staysOpen, closing.signal).finally(() => {
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
      if (started.ok && request.untilIdle) endWhenIdle(started.value.space, request.staysOpen);
      return started;
    });
    track(starting);
    return starting;
  };

  const untilDone: WorkflowLifecycle["untilDone"] = (space, signal) => {
    const end = ends.get(space);
    if (end !== undefined) return abortable(end, signal);
    return closeWhenIdle(space, true, AbortSignal.any([signal, closing.signal]));
  };

  return {
    start,
    untilDone,
    async recover() {
      const { instances, live } = await project.store.read(async (store) => ({
        instances: await store.instances.running(),
        live: liveNodes(await store.nodes.list(), await store.time()).map(({ instance }) => instance),
      }));
      for (const { space, phase, untilIdle, owner } of instances) {
        // Another node is just setting it up.
        if (phase === "setup" && owner !== undefined && live.includes(owner)) continue;
        if (phase === "setup") {
          log.warn("a workflow was interrupted during its setup; it is closed and can be started again", { space });
          const reason = "The setup was interrupted. Start the workflow again.";
          await system.propose(systemCaller, closeWorkspace, { target: space, reason });
        } else if (untilIdle && !ends.has(space)) {
          endWhenIdle(space);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(unsettled);
      await starts[Symbol.asyncDispose]();
    },
  };
}

/** Writes what the person gave to the start, in the name of the person. */
async function writeDocuments(
  { system }: OpenProject,
  target: string,
  documents: NonNullable<StartRequest["documents"]>,
): Promise<Result<undefined, Refusal>> {
  for (const [file, content] of Object.entries(documents)) {
    const written = await system.propose(person, writeDocument, { target, file, content });
    if (!written.ok) return written;
  }
  return ok(undefined);
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
  parts.hideSecrets(request.env ?? {});
  const sources = { caller: request.env, daemon: parts.env, project: parts.projectVariables() };
  const environment = startEnvironment(workflow, sources);
  if (!environment.ok) return environment;
  const scopeOf = (outputs: Readonly<Record<string, string>>): Scope =>
    buildScope({
      workflow: workflow.name,
      tag: workspace.tag,
      projectDir: project.dir,
      env: environment.value.placeholders,
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
  const setup = {
    ...parts,
    variables: environment.value.setup,
    redact,
    redactInParts: project.services.redactInParts,
    watch: request.watch,
  };
  const outputs = await runSetup(workflow.setup, scopeOf, setup, signal);
  if (!outputs.ok) return outputs;
  // The outputs are redacted already, and may be very long.
  const redactOne = (name: string, value: string): string =>
    Object.hasOwn(outputs.value, name) ? value : redact(value);
  const redacted = (scope: Scope): Scope => new Map([...scope].map(([name, value]) => [name, redactOne(name, value)]));

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
