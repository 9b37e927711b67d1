import type { AgentView } from "../../../src/contract/agents.ts";
import type { RunView } from "../../../src/contract/runs.ts";
import type { WorkspaceView } from "../../../src/contract/workspaces.ts";
import type { Daemon } from "../connection/daemon.ts";
import type { Live, Recorded, Snapshot } from "../connection/daemon-event.ts";
import { followEvents } from "../connection/follow-events.ts";
import { withLive, withoutRun, type Drafts } from "./draft.ts";
import { createRefresher } from "./refresher.ts";
import { topicsOf, type Topic } from "./topic.ts";

/** What the page knows of the project at all times, kept up by the events of the daemon. */
export interface TeamState {
  readonly connection: "connecting" | "live" | "lost";
  readonly agents: readonly AgentView[];
  /** Open and closed ones. */
  readonly workspaces: readonly WorkspaceView[];
  /** Runs that have not ended. */
  readonly runs: readonly RunView[];
  readonly drafts: Drafts;
  /** Messages that came while something else was looked at, by space. */
  readonly unread: ReadonlyMap<string, number>;
  /** Grows with everything that happens to a topic. */
  readonly versions: Readonly<Partial<Record<Topic, number>>>;
  /** The same for the messages of each space. */
  readonly spaces: ReadonlyMap<string, number>;
}

export interface Team {
  state(): TeamState;
  subscribe(listener: () => void): () => void;
  /** The space that is looked at: nothing in it is unread. */
  lookAt(space: string | undefined): void;
  close(): void;
}

const NOTHING: TeamState = {
  connection: "connecting",
  agents: [],
  workspaces: [],
  runs: [],
  drafts: new Map(),
  unread: new Map(),
  versions: {},
  spaces: new Map(),
};

/** Everything that comes within this time is shown at once. */
const FRAME_MS = 30;
const REST_MS = 400;
/** Of a large team, all of them are many. */
const AGENTS_REST_MS = 1500;
/** The message a run ended with is there by then. */
const GOODBYE_MS = 500;
const EVERYTHING: readonly Topic[] = [
  "agents",
  "workspaces",
  "runs",
  "ballots",
  "approvals",
  "dead",
  "suggestions",
  "documents",
  "personal",
  "schedules",
  "souls",
  "rules",
  "messages",
];

export function openTeam(daemon: Daemon): Team {
  let state = NOTHING;
  let looked: string | undefined;
  let telling: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const change = (changed: Partial<TeamState>): void => {
    state = { ...state, ...changed };
    telling ??= setTimeout(() => {
      telling = undefined;
      for (const listener of listeners) listener();
    }, FRAME_MS);
  };

  const agents = createRefresher(async () => {
    const answer = await daemon.ask("list-agents", {});
    if (answer.ok) change({ agents: answer.value.agents });
  }, AGENTS_REST_MS);
  const workspaces = createRefresher(async () => {
    const answer = await daemon.ask("list-workspaces", {});
    if (answer.ok) change({ workspaces: answer.value.workspaces });
  }, REST_MS);
  const runs = createRefresher(async () => {
    const answer = await daemon.ask("list-runs", { unfinished: true, limit: 200 });
    if (answer.ok) change({ runs: answer.value.runs });
  }, REST_MS);

  const touch = (topics: readonly Topic[]): void => {
    const versions = { ...state.versions };
    for (const topic of topics) versions[topic] = (versions[topic] ?? 0) + 1;
    change({ versions });
    if (topics.includes("agents")) agents.refresh();
    if (topics.includes("workspaces")) workspaces.refresh();
    if (topics.includes("runs")) runs.refresh();
  };
  const noteMessage = (space: string): void => {
    const spaces = new Map(state.spaces).set(space, (state.spaces.get(space) ?? 0) + 1);
    change({ spaces });
    if (space === looked && !document.hidden) return;
    change({ unread: new Map(state.unread).set(space, (state.unread.get(space) ?? 0) + 1) });
  };
  const read = (): void => {
    if (looked === undefined || document.hidden || !state.unread.has(looked)) return;
    const left = [...state.unread].filter(([space]) => space !== looked);
    change({ unread: new Map(left) });
  };
  document.addEventListener("visibilitychange", read);

  const stopFollowing = followEvents(daemon, {
    onState: (connection) => change({ connection }),
    onSnapshot({ agents: there, workspaces: open }: Snapshot) {
      const closed = state.workspaces.filter(({ space }) => !open.some((each) => each.space === space));
      change({ agents: there, workspaces: [...open, ...closed], drafts: new Map() });
      // Whatever happened while nobody listened.
      change({ spaces: new Map([...state.spaces].map(([space, version]) => [space, version + 1])) });
      touch(EVERYTHING);
    },
    onRecorded(event: Recorded) {
      touch(topicsOf(event));
      if (event.type === "message.posted" && event.space !== undefined) noteMessage(event.space);
      const { run } = event;
      if (event.type === "run.ended" && run !== undefined) {
        setTimeout(() => change({ drafts: withoutRun(state.drafts, run) }), GOODBYE_MS);
      }
    },
    onLive: (event: Live) => change({ drafts: withLive(state.drafts, event) }),
  });

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    lookAt(space) {
      looked = space;
      read();
    },
    close() {
      stopFollowing();
      document.removeEventListener("visibilitychange", read);
      for (const each of [agents, workspaces, runs]) each.stop();
      clearTimeout(telling);
    },
  };
}
