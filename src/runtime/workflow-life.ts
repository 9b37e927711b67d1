import type { WorkflowDefinition } from "../domain/workflow/definition.ts";
import { interpolate } from "../domain/workflow/interpolate.ts";
import { bindParams, parseParamArgs, type ParamValue } from "../domain/workflow/params.ts";
import { buildScope, type Scope } from "../domain/workflow/scope.ts";
import { system as byItself } from "../kernel/caller.ts";
import type { Log } from "../kernel/log.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { System } from "../kernel/system.ts";
import { beginWorkflow } from "../operations/begin-workflow.ts";
import { closeWorkspace } from "../operations/close-workspace.ts";
import type { Facilities, Product } from "../operations/define.ts";
import { findWorkflow } from "../operations/find-workflow.ts";
import { postKickoff } from "../operations/post-kickoff.ts";
import type { Shell } from "../ports/shell.ts";
import type { StoreReads } from "../ports/store/store.ts";
import type { IdleWatch } from "./idle-watch.ts";
import { runSetup } from "./run-setup.ts";

/** Starts workflows and ends them: setup, kickoff, work, and for a `run` the end when nothing is left to do. */
export interface WorkflowLife extends AsyncDisposable {
  start(request: StartRequest, signal: AbortSignal): Promise<Result<StartedWorkflow, Refusal>>;
  /** Resolves when the workspace is idle, or was closed by somebody else. Exit code 1 of a `run` is `failed`. */
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
  readonly system: System<Product>;
  readonly facilities: Facilities;
  readonly shell: Shell;
  readonly idle: () => IdleWatch;
  readonly log: Log;
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: (cwd: string | undefined) => Result<string, Refusal>;
  readonly read: <T>(space: string, work: (store: StoreReads) => Promise<T>) => Promise<T>;
}

const DEAD_COUNTED = 500;
const LONGEST_REASON = 4000;

export function createWorkflowLife(parts: WorkflowParts): WorkflowLife {
  const { system, facilities, log } = parts;
  const inSetup = new Set<string>();
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  const begin = async (request: StartRequest, signal: AbortSignal): ReturnType<WorkflowLife["start"]> => {
    await facilities.definitions.refresh();
    const workflow = findWorkflow(facilities.definitions, request.workflow);
    if (!workflow.ok) return workflow;
    const given = isTyped(request.params) ? parseParamArgs(request.params, workflow.value.params) : ok(request.params);
    if (!given.ok) return given;
    const params = bindParams(workflow.value.params, given.value);
    if (!params.ok) return params;

    const { tag, untilIdle } = request;
    const begun = await system.propose(byItself, beginWorkflow, { workflow: workflow.value.name, tag, untilIdle });
    if (!begun.ok) return begun;
    const { space, participants } = begun.value;
    inSetup.add(space);
    try {
      const ready = await prepareKickoff(parts, workflow.value, begun.value, params.value, request, signal);
      const posted = ready.ok
        ? await system.propose(byItself, postKickoff, { space, untilIdle, ...ready.value })
        : ready;
      if (posted.ok) return ok({ space, participants });
      await system.propose(byItself, closeWorkspace, { target: space, reason: reasonOf(posted.error) });
      return posted;
    } catch (error) {
      await system.propose(byItself, closeWorkspace, { target: space, reason: "The start was interrupted." });
      throw error;
    } finally {
      inSetup.delete(space);
      parts.idle().touch(space);
    }
  };

  /** A start that is under way when the project closes is interrupted, and waited for. */
  const start: WorkflowLife["start"] = (request, signal) => {
    const starting = begin(request, AbortSignal.any([signal, closing.signal]));
    const settled = starting.then(
      () => {},
      () => {},
    );
    underWay.add(settled);
    void settled.then(() => underWay.delete(settled));
    return starting;
  };

  const untilDone: WorkflowLife["untilDone"] = async (space, signal) => {
    const { stranded } = await parts.idle().untilIdle(space, AbortSignal.any([signal, closing.signal]));
    const { workspace, dead } = await parts.read(space, async (store) => ({
      workspace: await store.workspaces.byKey(space),
      dead: await store.deliveries.dead({ space, limit: DEAD_COUNTED }),
    }));
    if (workspace?.state === "open") await system.propose(byItself, closeWorkspace, { target: space });
    // A workspace that is opened again keeps its dead letters; those of earlier times are not this run's.
    const since = workspace?.openedAt ?? 0;
    return { failed: stranded + dead.filter(({ delivery }) => delivery.enqueuedAt >= since).length };
  };

  return {
    start,
    untilDone,
    isInSetup: (space) => inSetup.has(space),
    async recover() {
      for (const { space, phase, untilIdle } of await parts.read("", (store) => store.instances.running())) {
        if (phase === "setup") {
          log.warn("a workflow was interrupted during its setup; it is closed and can be started again", { space });
          const reason = "The setup was interrupted. Start the workflow again.";
          await system.propose(byItself, closeWorkspace, { target: space, reason });
        } else if (untilIdle) {
          const done = untilDone(space, closing.signal).then(
            () => {},
            (error: unknown) => {
              if (!closing.signal.aborted) log.error("could not wait for the end of a workflow", { space, error });
            },
          );
          underWay.add(done);
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
  const redact = (text: string): string => parts.facilities.redact(text);
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
