import type { AgentView, DefinitionProblemView } from "../../../src/contract/agents.ts";
import type { RunView, WaitingRun } from "../../../src/contract/runs.ts";
import type { UnreadView } from "../../../src/contract/reading/unread.ts";
import type { WorkspaceView } from "../../../src/contract/workspaces.ts";
import type { Live, Recorded, Snapshot } from "../connection/daemon-event.ts";
import type { Daemon } from "../connection/daemon.ts";
import { followEvents } from "../connection/follow-events.ts";
import { applyLiveEvent, withoutRun, type Drafts } from "./draft.ts";
import { createRefresher } from "./refresher.ts";
import { TOPICS, topicsOf, type Topic } from "./topic.ts";

/** The state of the project that all views share, updated by the events of the daemon. */
export interface TeamState {
  readonly connection: "connecting" | "live" | "lost";
  readonly agents: readonly AgentView[];
  /** Mistakes in the definition files. An agent may be missing because of one. */
  readonly problems: readonly DefinitionProblemView[];
  /** Open and closed ones. */
  readonly workspaces: readonly WorkspaceView[];
  /** Runs that have not ended. */
  readonly runs: readonly RunView[];
  /** The runs that wait for something, oldest first. */
  readonly waits: readonly WaitingRun[];
  /** Ids of the runs that cannot go on before a person has decided on a tool call. */
  readonly blocked: ReadonlySet<string>;
  readonly drafts: Drafts;
  /** What the person has not read, by space. The daemon stores it. */
  readonly unread: ReadonlyMap<string, UnreadView>;
  /** False until the daemon has said it. */
  readonly unreadKnown: boolean;
  /** Incremented by every event about a topic. */
  readonly versions: Readonly<Partial<Record<Topic, number>>>;
  /** The same for the messages of each space. */
  readonly spaces: ReadonlyMap<string, number>;
}

export interface Team {
  state(): TeamState;
  subscribe(listener: () => void): () => void;
  /** The person has read the messages of a space up to this one. */
  markRead(space: string, seq: number): void;
  close(): void;
}

const INITIAL: TeamState = {
  connection: "connecting",
  agents: [],
  problems: [],
  workspaces: [],
  runs: [],
  waits: [],
  blocked: new Set(),
  drafts: new Map(),
  unread: new Map(),
  unreadKnown: false,
  versions: {},
  spaces: new Map(),
};

/** Changes within this time are rendered together. */
const FRAME_MS = 30;
const MIN_INTERVAL_MS = 400;
/** Longer, because the list of a large team is long. */
const AGENTS_MIN_INTERVAL_MS = 1500;
const UNREAD_MIN_INTERVAL_MS = 1000;
/** The draft of an ended run stays this long, because its message has to be loaded first. */
const DRAFT_LINGER_MS = 500;

export function openTeam(daemon: Daemon): Team {
  let state = INITIAL;
  /** What was marked as read here and may not be stored yet. */
  const readTo = new Map<string, number>();
  let notifying: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const change = (changed: Partial<TeamState>): void => {
    state = { ...state, ...changed };
    notifying ??= setTimeout(() => {
      notifying = undefined;
      for (const listener of listeners) listener();
    }, FRAME_MS);
  };

  const agents = createRefresher(async () => {
    const result = await daemon.call("list-agents", {});
    if (!result.ok) return "incomplete";
    const { agents: listed, problems, waits } = result.value;
    change({ agents: listed, problems, waits });
    return "complete";
  }, AGENTS_MIN_INTERVAL_MS);
  const workspaces = createRefresher(async () => {
    const result = await daemon.call("list-workspaces", {});
    if (!result.ok) return "incomplete";
    change({ workspaces: result.value.workspaces });
    return "complete";
  }, MIN_INTERVAL_MS);
  const runs = createRefresher(async () => {
    const [result, approvals] = await Promise.all([
      daemon.call("list-runs", { unfinished: true, limit: 200 }),
      daemon.call("list-approvals", { limit: 500 }),
    ]);
    if (!result.ok || !approvals.ok) return "incomplete";
    const waiting = result.value.runs.filter(({ state }) => state === "waiting").map(({ id }) => id);
    const asking = approvals.value.approvals.map(({ run }) => run);
    change({ runs: result.value.runs, blocked: new Set([...waiting, ...asking]) });
    return "complete";
  }, MIN_INTERVAL_MS);

  const unread = createRefresher(async () => {
    const result = await daemon.call("list-unread", {});
    if (!result.ok) return "incomplete";
    change({ unread: new Map(result.value.spaces.map((each) => [each.space, each])), unreadKnown: true });
    return "complete";
  }, UNREAD_MIN_INTERVAL_MS);
  const marks = createRefresher(async () => {
    for (const [target, seq] of readTo) {
      const marked = await daemon.call("mark-read", { target, seq });
      if (!marked.ok && marked.error.code === "unavailable") return "incomplete";
      if (readTo.get(target) === seq) readTo.delete(target);
    }
    unread.refresh();
    return "complete";
  }, MIN_INTERVAL_MS);

  const invalidate = (topics: readonly Topic[]): void => {
    const versions = { ...state.versions };
    for (const topic of topics) versions[topic] = (versions[topic] ?? 0) + 1;
    change({ versions });
    if (topics.includes("agents")) agents.refresh();
    if (topics.includes("workspaces")) workspaces.refresh();
    if (topics.includes("runs")) runs.refresh();
    if (topics.includes("messages")) unread.refresh();
  };
  const countMessage = (space: string): void => {
    const spaces = new Map(state.spaces).set(space, (state.spaces.get(space) ?? 0) + 1);
    change({ spaces });
  };
  /** Another tab, or another browser, may have read something. */
  const onVisible = (): void => {
    if (!document.hidden) unread.refresh();
  };
  document.addEventListener("visibilitychange", onVisible);

  const stopFollowing = followEvents(daemon, {
    onState: (connection) => change({ connection }),
    onSnapshot({ agents: current, workspaces: open }: Snapshot) {
      const closed = state.workspaces.filter(({ space }) => !open.some((each) => each.space === space));
      change({ agents: current, workspaces: [...open, ...closed], drafts: new Map() });
      // Events may have been missed while disconnected.
      change({ spaces: new Map([...state.spaces].map(([space, version]) => [space, version + 1])) });
      invalidate(TOPICS);
    },
    onRecorded(event: Recorded) {
      invalidate(topicsOf(event));
      if (event.type === "message.posted" && event.space !== undefined) countMessage(event.space);
      const { run } = event;
      if (event.type === "run.ended" && run !== undefined) {
        setTimeout(() => change({ drafts: withoutRun(state.drafts, run) }), DRAFT_LINGER_MS);
      }
    },
    onLive: (event: Live) => change({ drafts: applyLiveEvent(state.drafts, event) }),
  });

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    markRead(space, seq) {
      const known = state.unread.get(space);
      if (known === undefined || seq <= Math.max(known.readTo, readTo.get(space) ?? 0)) return;
      readTo.set(space, seq);
      change({ unread: new Map([...state.unread].filter(([each]) => each !== space)) });
      marks.refresh();
    },
    close() {
      stopFollowing();
      document.removeEventListener("visibilitychange", onVisible);
      for (const each of [agents, workspaces, runs, unread, marks]) each.stop();
      clearTimeout(notifying);
    },
  };
}
