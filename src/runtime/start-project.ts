import { mailboxOf } from "../domain/delivery/mailbox.ts";
import { isSubSpace, workspaceOf } from "../domain/workspace/sub-space.ts";
import type { RecordedEvent } from "../domain/event.ts";
import type { LoopStatus } from "../domain/workspace/idle.ts";
import { relayLive } from "./peers/live-relay.ts";
import { createRecentMessages } from "../guard/context/recent-messages.ts";
import { createTeams } from "../guard/context/teams.ts";
import { memberRoles } from "../guard/identity/current-soul.ts";
import { systemCaller } from "../kernel/caller.ts";
import type { Closers } from "../kernel/disposal.ts";
import { createEventHub } from "../kernel/event-hub.ts";
import type { Random } from "../kernel/random.ts";
import { createTurnGate } from "../kernel/turn-gate.ts";
import type { BegunRun } from "../operations/runs/begin-run.ts";
import { recoverRuns } from "../operations/runs/recover-runs.ts";
import { followDefinitions } from "../operations/definitions/follow-definitions.ts";
import { startBackground, DISPATCH } from "./background/start-background.ts";
import { startLoops, type Loops } from "./loop/loops.ts";
import { createTakeNext } from "./loop/take-next.ts";
import { readOrders } from "./node/heed-others.ts";
import { joinNodes, startBeats } from "./node/membership.ts";
import type { RunSlots } from "./node/run-slots.ts";
import type { OpenProject } from "./open-project.ts";
import type { RunningProject } from "./running-project.ts";
import { executeRun, type RunParts } from "./runs/execute-run.ts";
import type { LiveEvent } from "./runs/live-event.ts";
import { createLiveReplay } from "./runs/live-replay.ts";
import type { UnavailableModels } from "./runs/model-fallback.ts";
import { prepareRun, type PrepareRunParts } from "./runs/prepare-run.ts";
import { followPrices } from "./background/follow-prices.ts";
import { endVoting } from "./workflows/end-voting.ts";
import { createIdleWatch } from "./workflows/idle-watch.ts";
import { worksElsewhere } from "./node/work-elsewhere.ts";
import type { WorkHold } from "./work-hold.ts";
import { createWorkflowLifecycle, type WorkflowParts } from "./workflows/workflow-lifecycle.ts";

/** What the composition root supplies to run a project. */
export interface ProjectParts extends PrepareRunParts, WorkflowParts, Pick<RunParts, "engines"> {
  readonly random: Random;
  /** Id of this daemon instance, which distinguishes its leases from those of a process that ended. */
  readonly leaseOwner: string;
  /** Absent: work is never held. */
  readonly hold?: WorkHold;
  /** Absent: any number of runs is executed at once. */
  readonly slots?: RunSlots;
}

/**
 * Releases the leases of a daemon that died, then starts the loops, the workflows and the background workers of an open
 * project. In a project at rest nothing is released or started. Disposing the returned project disposes `closers`, with
 * everything that was added before.
 */
export async function startProject<Opened extends OpenProject>(
  opened: Opened,
  parts: ProjectParts,
  closers: Closers,
): Promise<Opened & RunningProject & AsyncDisposable> {
  const { system, services, events, store } = opened;
  const { clock, log, leaseOwner } = parts;
  if (!opened.atRest) {
    await joinNodes(opened);
    const recovered = await system.propose(systemCaller, recoverRuns, { leaseOwner });
    if (recovered.ok && recovered.value.runs > 0) log.info("took up what was left open", { ...recovered.value });
  }

  // The files may have changed while no daemon ran.
  if (!opened.atRest) await system.propose(systemCaller, followDefinitions, {});

  const live = createEventHub<LiveEvent>((error) => log.error("a watcher of live events failed", { error }));
  const replay = createLiveReplay();
  const { peers } = store;
  if (peers !== undefined) {
    const relay = relayLive(live, peers, clock);
    closers.add("words of other daemons", async () => relay[Symbol.dispose]());
  }
  const recent = createRecentMessages();
  const teams = createTeams(memberRoles(services));
  const unavailable: UnavailableModels = new Map();
  const spacesOfRuns = new Map<string, string>();
  const gate = createTurnGate(clock, PREPARED_IN_A_TURN);
  const prepare: RunParts["prepare"] = async (next) => {
    const waits = gate();
    if (waits !== undefined) await waits;
    return prepareRun(running, parts, { recent, teams }, next);
  };

  const read: OpenProject["store"]["read"] = (work) => store.read(work);
  const shared = { ...parts, system, definitions: services.definitions, events, holds: opened.holds, read };
  const execute = async (begun: BegunRun, signal: AbortSignal): Promise<boolean> => {
    const { mailbox, space } = begun.run;
    spacesOfRuns.set(mailbox, space);
    const more = await executeRun(
      {
        ...shared,
        prepare,
        watch: (event) => {
          replay.add(event);
          live.publish([event]);
        },
        unavailable,
      },
      begun,
      signal,
    ).finally(() => {
      spacesOfRuns.delete(mailbox);
      replay.end(begun.run.id);
    });
    idle.touch(space);
    return more;
  };

  const isHeld = (): boolean => parts.hold?.isHeld(opened.dir) === true;
  /** Mailboxes for which a run of another node is waited for, by that run. */
  const awaited = new Map<string, string>();
  const takeNext = createTakeNext({ ...shared, onBusy: (run, mailbox) => awaited.set(run, mailbox) }, execute);
  // Loops execute nothing before this function awaits: `idle` and `running` are initialised by then.
  const loops = startLoops({
    ...shared,
    takeNext: (mailbox) => {
      const take = takeNext(mailbox);
      return async (signal) => {
        if (isHeld()) return NOTHING_NOW;
        if (parts.slots === undefined) return take(signal);
        using slot = parts.slots.take();
        // The next place that is given back is offered to all who wait.
        return slot === undefined ? NOTHING_NOW : await take(signal);
      };
    },
    mailboxesWithPending: async () => {
      if (opened.atRest) return [];
      const mailboxes = await read((reads) => reads.deliveries.mailboxesWithPending());
      // Nodes that look at the same time begin at different places, and seldom ask for the same.
      return services.node.alone ? mailboxes : rotate(mailboxes, Math.floor(parts.random() * mailboxes.length));
    },
  });
  const idle = createIdleWatch({
    ...shared,
    loopStatus: (mailbox, space): LoopStatus => {
      const state = loops.state(mailbox);
      if (state.kind === "stopped" || (state.kind === "failed" && state.failures >= FAILED_FOR_LONG)) return state.kind;
      return spacesOfRuns.get(mailbox) === space ? "running" : "idle";
    },
    onlyBallotsLeft: (space) => endVoting(opened, space),
    ...(services.node.alone ? {} : { workElsewhere: (reads, spaces) => worksElsewhere(reads, spaces, leaseOwner) }),
  });
  const freed = parts.slots?.onFree(() => void loops.lookAgain());
  closers.add("places for runs", () => freed?.[Symbol.dispose]());
  const interrupt = async (mailbox: string): Promise<void> => {
    await loops.stop(mailbox);
    loops.wake([mailbox]);
  };
  /**
   * What an agent does in a workspace and its sub-spaces ends with the workspace, before whoever closed it gets the
   * answer. In a sub-space that is closed alone it goes on to its end.
   */
  const interruptIn = (space: string): void => {
    for (const [mailbox, place] of spacesOfRuns) {
      if (workspaceOf(place) !== space) continue;
      interrupt(mailbox).catch((error: unknown) => log.error("could not end a run", { mailbox, space, error }));
    }
  };
  const workflows = createWorkflowLifecycle(opened, idle, { ...parts, interrupt });
  const running = {
    ...opened,
    runtime: { clock, loops, live, replay, idle },
    workflows,
    [Symbol.asyncDispose]: () => closers[Symbol.asyncDispose](),
  };

  closers.add("idle watch", () => idle[Symbol.dispose]());
  if (!opened.atRest) {
    // It leaves after its loops have ended and put their runs aside.
    const beats = startBeats(opened, {
      clock,
      log,
      onLost: () => void loops[Symbol.asyncDispose](),
      async onBeat(gone) {
        if (spacesOfRuns.size > 0) {
          const orders = await read((reads) => readOrders(reads, spacesOfRuns, leaseOwner));
          await Promise.all([...orders.stopped.map((each) => loops.stop(each)), ...orders.interrupted.map(interrupt)]);
        }
        if (gone && services.node.isLead()) await workflows.recover();
        if (gone) await loops.lookAgain();
      },
    });
    closers.add("node", () => beats[Symbol.asyncDispose]());
  }
  closers.add("loops", () => loops[Symbol.asyncDispose]());
  const closeWorkflows = () => workflows[Symbol.asyncDispose]();
  if (opened.atRest) {
    closers.add("workflows", closeWorkflows);
    return running;
  }
  const dispatch = (): void => startBackground(DISPATCH, { ...opened, clock, log }, closers);
  if (isHeld()) {
    const waiting = parts.hold?.whenGoingOn(opened.dir, () => {
      dispatch();
      workflows.recover().catch((error: unknown) => log.error("could not go on with a start", { error }));
      void loops.lookAgain();
    });
    closers.add("hold", () => waiting?.[Symbol.dispose]());
  } else dispatch();
  const observers = [
    events.observe((published) => {
      if (published.some(({ type }) => CHANGES_TEAMS.has(type))) teams.forget();
      for (const event of published) if (changesAgent(event)) recent.forget(event.agent);
    }),
    stopWithAgents(opened, parts, loops),
    events.observe((published) => {
      if (published.some(({ type }) => type === "definitions.changed")) void loops.lookAgain();
      for (const event of published) {
        if (event.type === "workspace.closed") interruptIn(event.space);
        if (event.type !== "run.ended") continue;
        const mailbox = awaited.get(event.run);
        if (awaited.delete(event.run) && mailbox !== undefined) loops.wake([mailbox]);
      }
    }),
    opened.wakes.observe((mailboxes) => loops.wake(mailboxes)),
    retireWithWorkspaces(opened, parts, loops),
    followPrices(opened, parts),
  ];
  closers.add("observers", () => observers.forEach((observer) => observer[Symbol.dispose]()));
  closers.add("workflows", closeWorkflows);
  if (!isHeld()) await workflows.recover();
  return running;
}

/** So a hundred agents that are woken at once do not hold up everybody else: the first prompt of an agent takes longest. */
const PREPARED_IN_A_TURN = { atOnce: 8, turnMs: 5 };

function rotate<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by), ...list.slice(0, by)];
}

const NOTHING_NOW = { again: false, nextDue: null } as const;

/** These events can change who is in a team, and in which role. */
const CHANGES_TEAMS: ReadonlySet<RecordedEvent["type"]> = new Set(["soul.changed", "role.set", "definitions.changed"]);

/** Whether another agent may have the name from now on. */
function changesAgent(event: RecordedEvent): event is Extract<RecordedEvent, { type: AgentChange }> {
  return AGENT_CHANGES.some((type) => type === event.type);
}

/** A loop that failed so often in a row, for some seconds, is not waited for. */
const FAILED_FOR_LONG = 5;

const AGENT_CHANGES = ["agent.created", "agent.deleted", "agent.promoted"] as const;
type AgentChange = (typeof AGENT_CHANGES)[number];

/** Breaks off what a deleted agent is doing. What came for a new agent of its name meanwhile is taken then. */
function stopWithAgents({ events, store }: OpenProject, { log }: Pick<ProjectParts, "log">, loops: Loops): Disposable {
  const stop = async (agent: string): Promise<void> => {
    await loops.stop(agent);
    if (await store.read((reads) => reads.deliveries.hasPending(agent))) loops.wake([agent]);
  };
  return events.observe((published) => {
    for (const event of published) {
      if (event.type !== "agent.deleted") continue;
      stop(event.agent).catch((error: unknown) => log.error("could not end the loop of an agent", { error }));
    }
  });
}

/** Ends the loops of agents that exist only in one workspace when it closes. */
function retireWithWorkspaces(
  { events, store }: OpenProject,
  { log }: Pick<ProjectParts, "log">,
  loops: Loops,
): Disposable {
  const retire = async (space: string): Promise<void> => {
    const roster = await store.read((reads) => reads.workspaces.roster(space));
    for (const { agent, ref } of roster) if (ref === null) loops.retire(mailboxOf(agent, ref, space));
  };
  return events.observe((published) => {
    for (const event of published) {
      if (event.type !== "workspace.closed" || isSubSpace(event.space)) continue;
      retire(event.space).catch((error: unknown) => log.error("could not end the loops of a workspace", { error }));
    }
  });
}
