import { join } from "node:path";
import type { AgentDefinition, EngineName } from "../domain/agent/definition.ts";
import { DEFAULT_ENGINE } from "../domain/agent/needs-model.ts";
import { bringsOwnTools } from "../domain/agent/tool-choice.ts";
import { mailboxOf } from "../domain/delivery/mailbox.ts";
import type { RecordedEvent } from "../domain/event.ts";
import type { LoopStatus } from "../domain/workspace/idle.ts";
import { assemblePrompt } from "../guard/context/assemble-prompt.ts";
import type { Provenance } from "../guard/provenance/provenance.ts";
import type { PromptInput, SkillEntry } from "../guard/context/prompt-input.ts";
import { createRecentMessages, type RecentMessages } from "../guard/context/recent-messages.ts";
import { participantSoul } from "../guard/identity/participant-soul.ts";
import { createTeams, type Teams } from "../guard/context/teams.ts";
import { readPromptInput } from "../guard/context/read-prompt-input.ts";
import { system as systemCaller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import { createEventHub, type EventHub } from "../kernel/event-hub.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { System } from "../kernel/system.ts";
import type { SystemPrompt } from "../domain/agent/definition.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { BegunRun } from "../operations/runs/begin-run.ts";
import type { Services, ProductTypes } from "../operations/core/define.ts";
import { recoverRuns } from "../operations/runs/recover-runs.ts";
import { EngineFailure, type Engine } from "../ports/engine.ts";
import type { RunRecord } from "../ports/store/run.ts";
import type { StoreReads } from "../ports/store/store.ts";
import type { Approvals, ToolEndpoint, ToolHost } from "../ports/tools.ts";
import { executeRun, type PreparedRun } from "./runs/execute-run.ts";
import { createIdleWatch, type IdleWatch } from "./workflows/idle-watch.ts";
import type { LiveEvent } from "./runs/live-events.ts";
import { startLoops, type Loops } from "./loop/loops.ts";
import { startRuleRunner } from "./background/rule-runner.ts";
import { runDefinition } from "./runs/run-identity.ts";
import { createTakeNext } from "./loop/take-next.ts";
import { startScheduler } from "./background/scheduler.ts";

/** What makes the rows of a project move: loops for its mailboxes, the clock of its schedules and ballots. */
export interface ProjectRuntime extends AsyncDisposable {
  readonly loops: Loops;
  readonly live: EventHub<LiveEvent>;
  readonly idle: IdleWatch;
}

export interface RuntimeParts {
  readonly system: System<ProductTypes>;
  readonly services: Services;
  readonly events: EventHub<RecordedEvent>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Names this life of the daemon: its leases are told from those of a life that ended. */
  readonly leaseOwner: string;
  /** Absolute; where engines work. */
  readonly projectDir: string;
  readonly read: <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>;
  readonly engines: ReadonlyMap<EngineName, Engine>;
  readonly systemPrompt: (prompt: SystemPrompt) => Result<string, Refusal>;
  /** Those the agent is told of. */
  readonly skills: (definition: AgentDefinition) => Promise<readonly SkillEntry[]>;
  readonly tools: (begun: BegunRun, definition: AgentDefinition) => Promise<RunTools>;
  readonly setupRunning: (space: string) => boolean;
  /** The project as a workspace has it to itself, by a name that is one part of a path; absolute. */
  readonly worktree: (name: string) => Promise<string>;
}

/** What a run works with, until it ends or gives way. */
export interface RunTools extends ToolHost, AsyncDisposable {
  readonly endpoint: ToolEndpoint | null;
  readonly approvals: Approvals;
  /** Told before each step: what a step did before it was cut off is recognised when it is made again. */
  beginStep(number: number): void;
}

export async function startRuntime(parts: RuntimeParts): Promise<ProjectRuntime> {
  const { system, leaseOwner, log } = parts;
  const live = createEventHub<LiveEvent>((error) => log.error("a watcher of live events failed", { error }));
  const remembered = {
    recent: createRecentMessages(),
    teams: createTeams((participant) => participantSoul(parts.services, participant)?.role ?? null),
  };
  const learning = parts.events.observe((published) => {
    if (published.some(({ type }) => type === "soul.changed")) remembered.teams.forget();
  });
  /** Where each mailbox is at work right now. */
  const workingIn = new Map<string, string>();

  const recovered = await system.propose(systemCaller, recoverRuns, { leaseOwner });
  if (recovered.ok && recovered.value.runs > 0) log.info("took up what was left open", { ...recovered.value });

  const runParts = {
    system,
    leaseOwner,
    log,
    clock: parts.clock,
    engine: ({ backend = DEFAULT_ENGINE }: AgentDefinition) => findEngine(parts.engines, backend),
    prepare: (begun: BegunRun) => prepareRun(parts, remembered, begun),
    watch: (event: LiveEvent) => live.publish([event]),
  };

  const takeNext = createTakeNext(parts, async (begun, signal) => {
    const { mailbox, space } = begun.run;
    workingIn.set(mailbox, space);
    const more = await executeRun(runParts, begun, signal).finally(() => workingIn.delete(mailbox));
    idle.touch(space);
    return more;
  });

  const loops = startLoops({
    ...parts,
    takeNext,
    mailboxesWithPending: () => parts.read((store) => store.deliveries.mailboxesWithPending()),
  });

  const idle = createIdleWatch({
    ...parts,
    loopStatus: (mailbox, space): LoopStatus => {
      const { kind } = loops.state(mailbox);
      if (kind === "failed" || kind === "stopped") return kind;
      return workingIn.get(mailbox) === space ? "running" : "idle";
    },
  });
  const timekeeper = startScheduler(parts);
  const rules = startRuleRunner(parts);
  const retiring = retireWithWorkspaces(parts, loops);

  return {
    loops,
    live,
    idle,
    async [Symbol.asyncDispose]() {
      learning[Symbol.dispose]();
      retiring[Symbol.dispose]();
      await timekeeper[Symbol.asyncDispose]();
      await rules[Symbol.asyncDispose]();
      await loops[Symbol.asyncDispose]();
      idle[Symbol.dispose]();
    },
  };
}

/** Agents that exist in one workspace only have a loop as long as it is open. */
function retireWithWorkspaces({ events, read, log }: RuntimeParts, loops: Loops): Disposable {
  const retire = async (space: string): Promise<void> => {
    const roster = await read((store) => store.workspaces.roster(space));
    for (const { agent, isRef } of roster) if (!isRef) loops.retire(mailboxOf(agent, isRef, space));
  };
  return events.observe((published) => {
    for (const event of published) {
      if (event.type !== "workspace.closed") continue;
      retire(event.space).catch((error: unknown) => log.error("could not end the loops of a workspace", { error }));
    }
  });
}

interface Remembered {
  readonly recent: RecentMessages;
  readonly teams: Teams;
}

async function prepareRun(parts: RuntimeParts, remembered: Remembered, begun: BegunRun): Promise<PreparedRun> {
  const { run, deliveries, finishedSteps } = begun;
  const { read } = parts;
  const definition = await read((store) => runDefinition(store, parts.services.definitions, run));
  const tools = await parts.tools(begun, definition);
  try {
    const input = await readPromptInput(
      { read, ...remembered, ...parts.services, systemPrompt: parts.systemPrompt },
      {
        run,
        deliveries,
        skills: await parts.skills(definition),
        tools: tools.list().map(({ name }) => name),
        now: parts.clock.now(),
      },
    );
    if (!input.ok) throw new EngineFailure("permanent", `${input.error.message} ${input.error.hint ?? ""}`.trim());
    const { system, prompt, receipt } = assemblePrompt(input.value);
    const tracked = await listen(parts, run, definition, input.value);
    const last = finishedSteps === 0 ? undefined : await read((store) => store.runs.lastStep(run.id));
    const workspace = definition.worktree === true && (await read((store) => store.workspaces.byKey(run.space)));
    const root = workspace ? await parts.worktree(`${workspace.workflow}.${workspace.tag}`) : parts.projectDir;
    const cwd = join(root, definition.cwd ?? ".");
    return {
      definition,
      prompt,
      receipt: JSON.stringify({ ...receipt, ...tracked.given }),
      beginStep: (number) => tools.beginStep(number),
      spec: {
        run: run.id,
        agent: definition,
        system,
        transcript: last?.transcript ?? null,
        previous: () => read((store) => store.runs.lastTranscript(run.mailbox, run.space)),
        tools,
        endpoint: tools.endpoint,
        approvals: tools.approvals,
        cwd,
      },
      async [Symbol.asyncDispose]() {
        tracked[Symbol.dispose]();
        await tools[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await tools[Symbol.asyncDispose]();
    throw error;
  }
}

/** From here on it is known what the run has heard. Of agents without a memory nobody has to know. */
async function listen(
  { services }: RuntimeParts,
  { id, space }: RunRecord,
  definition: AgentDefinition,
  given: PromptInput,
): Promise<Disposable & { readonly given: Partial<Provenance> }> {
  const { owner, personal } = given;
  if (owner === null || personal === null) return { given: {}, [Symbol.dispose]: () => {} };
  const ownTools = bringsOwnTools(definition) || Object.keys(definition.mcpServers ?? {}).length > 0;
  const tracked = await services.provenance.begin({ id, agent: owner, space, ownTools }, given);
  return { given: services.provenance.of(id), [Symbol.dispose]: () => tracked[Symbol.dispose]() };
}

function findEngine(engines: ReadonlyMap<EngineName, Engine>, name: EngineName): Engine {
  const engine = engines.get(name);
  if (engine !== undefined) return engine;
  const known = [...engines.keys()].join(", ");
  throw new EngineFailure("permanent", `The engine "${name}" is not available here. Available: ${known}.`);
}
