import { parseSpace } from "../domain/message/space.ts";
import type { WorkflowDefinition } from "../domain/workflow/definition.ts";
import { interpolate } from "../domain/workflow/interpolate.ts";
import { bindParams, type ParamValue } from "../domain/workflow/params.ts";
import { buildScope, type Scope } from "../domain/workflow/scope.ts";
import { displayWorkspace } from "../domain/workspace/workspace.ts";
import { system as byItself } from "../kernel/caller.ts";
import { hintForUnknown } from "../kernel/closest.ts";
import type { Log } from "../kernel/log.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { System } from "../kernel/system.ts";
import { beginWorkflow } from "../operations/begin-workflow.ts";
import { closeWorkspace } from "../operations/close-workspace.ts";
import type { Facilities, Product } from "../operations/define.ts";
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
  readonly params: Readonly<Record<string, ParamValue>>;
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

export function createWorkflowLife(parts: WorkflowParts): WorkflowLife {
  const { system, facilities, log } = parts;
  const inSetup = new Set<string>();
  const closing = new AbortController();
  const watching = new Set<Promise<unknown>>();

  const start: WorkflowLife["start"] = async (request, signal) => {
    await facilities.definitions.refresh();
    const workflow = findWorkflow(facilities, request.workflow);
    if (!workflow.ok) return workflow;
    const params = bindParams(workflow.value.params, request.params);
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
      await system.propose(byItself, closeWorkspace, { target: space });
      return posted;
    } catch (error) {
      await system.propose(byItself, closeWorkspace, { target: space });
      throw error;
    } finally {
      inSetup.delete(space);
      parts.idle().touch(space);
    }
  };

  const untilDone: WorkflowLife["untilDone"] = async (space, signal) => {
    const { stranded } = await parts.idle().untilIdle(space, AbortSignal.any([signal, closing.signal]));
    const dead = await parts.read(space, (store) => store.deliveries.dead({ space, limit: DEAD_COUNTED }));
    const state = await parts.read(space, (store) => store.workspaces.status(space));
    if (state?.state === "open") await system.propose(byItself, closeWorkspace, { target: space });
    return { failed: stranded + dead.length };
  };

  return {
    start,
    untilDone,
    isInSetup: (space) => inSetup.has(space),
    async recover() {
      for (const { space, phase, untilIdle } of await parts.read("", (store) => store.instances.running())) {
        if (phase === "setup") {
          log.warn("a workflow was interrupted during its setup; it is closed and can be started again", { space });
          await system.propose(byItself, closeWorkspace, { target: space });
        } else if (untilIdle) {
          const done = untilDone(space, closing.signal).catch((error: unknown) => {
            if (!closing.signal.aborted) log.error("could not wait for the end of a workflow", { space, error });
          });
          watching.add(done);
        }
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all(watching);
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
  const outputs = await runSetup(workflow.setup, scopeOf, { ...parts, redact, watch: request.watch }, signal);
  if (!outputs.ok) return outputs;

  const filled = interpolate(workflow.kickoff ?? "", scopeOf(outputs.value));
  if (!filled.ok) return filled;
  const text = [filled.value.text, request.message ?? ""].filter((part) => part.trim() !== "").join("\n\n");
  return ok(text === "" ? {} : { kickoff: { text, inert: [...filled.value.inert] } });
}

function findWorkflow({ definitions }: Facilities, name: string): Result<WorkflowDefinition, Refusal> {
  const workflow = definitions.workflow(name);
  if (workflow !== undefined) return ok(workflow);
  const known = definitions.workflows().map((each) => each.name);
  return refuse("not_found", `There is no workflow called "${name}".`, { hint: hintForUnknown(name, known, "workflows") });
}

/** For messages to people. */
export function spaceName(space: string): string {
  const parsed = parseSpace(space);
  return parsed.ok && parsed.value.kind === "workspace" ? displayWorkspace(parsed.value) : space;
}
