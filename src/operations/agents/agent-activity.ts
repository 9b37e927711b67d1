import type { AgentView } from "../../contract/agents.ts";
import { LANES, type Lane } from "../../domain/delivery/lane.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import type { LaneCount } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Member } from "../../ports/store/workspace.ts";
import { readUnfinishedRuns, type UnfinishedRuns } from "../runs/waiting-runs.ts";

/** The open workspaces and open deliveries of an agent, and what it is doing. */
export interface AgentActivity extends Pick<AgentView, "until" | "work" | "node"> {
  /** Keys of the open workspaces it takes part in, sorted. */
  readonly workspaces: readonly string[];
  readonly open: Record<Lane, number>;
  readonly state: Exclude<AgentView["state"], "rests">;
}

/** An agent that exists only in an open workspace. */
export interface WorkspaceAgent {
  readonly space: string;
  readonly agent: string;
  readonly activity: AgentActivity;
}

export interface TeamActivity {
  /** The activity of an agent of the project under its own name, in its direct messages and all workspaces. */
  of(agent: string): AgentActivity;
  readonly workspaceAgents: readonly WorkspaceAgent[];
  readonly runs: UnfinishedRuns;
}

interface Attachment {
  readonly participant: Member;
  readonly space: string;
}

/** Reads once what all agents of a project are doing. */
export async function readTeamActivity(store: StoreReads): Promise<TeamActivity> {
  const attachments = await attachmentsIn(store);
  const counts = Map.groupBy(await store.deliveries.countOpenByLane(), ({ mailbox }) => mailbox);
  const runs = await readUnfinishedRuns(store);
  const messages = await messagesOf(store, runs);
  const nodes = runs.running.length === 0 ? [] : await store.nodes.list();
  const nodeOf = (mailbox: string): string | null => {
    const owner = runs.running.find((run) => run.mailbox === mailbox)?.leaseOwner;
    return nodes.find(({ instance }) => instance === owner)?.name ?? null;
  };
  const activity = (mailbox: string, workspaces: readonly string[]): AgentActivity => ({
    workspaces: [...new Set(workspaces)].toSorted(),
    open: sumByLane(counts.get(mailbox) ?? []),
    ...doing(runs, messages, mailbox),
    node: nodeOf(mailbox),
  });
  return {
    of: (agent) => {
      const spaces = attachments.filter((each) => each.participant.ref === agent).map(({ space }) => space);
      return activity(agent, spaces);
    },
    workspaceAgents: attachments
      .filter(({ participant }) => participant.ref === null)
      .map(({ participant, space }) => ({
        space,
        agent: participant.agent,
        activity: activity(mailboxOf(participant.agent, participant.ref, space), [space]),
      })),
    runs,
  };
}

async function attachmentsIn(store: StoreReads): Promise<Attachment[]> {
  const attachments: Attachment[] = [];
  for (const { key: space } of await store.workspaces.list({ state: "open" })) {
    for (const participant of await store.workspaces.roster(space)) attachments.push({ participant, space });
  }
  return attachments;
}

async function messagesOf(store: StoreReads, { running, waiting }: UnfinishedRuns): Promise<Map<string, string>> {
  const messages = new Map<string, string>();
  for (const { cause } of [...running, ...waiting]) {
    const message = messages.has(cause) ? undefined : await store.messages.byId(cause);
    if (message !== undefined) messages.set(cause, beginning(message.body));
  }
  return messages;
}

/** Of several runs, the one that is executed is shown; then one that waits for a person; then the next that goes on. */
function doing(
  { running, waiting, waits, stops }: UnfinishedRuns,
  messages: ReadonlyMap<string, string>,
  mailbox: string,
): Pick<AgentActivity, "state" | "until" | "work"> {
  const isOwn = (run: RunRecord): boolean => run.mailbox === mailbox;
  const stop = stops.get(mailbox);
  const workOf = ({ id: run, space, cause, startedAt, waitsSince }: RunRecord, at = waitsSince): AgentView["work"] => {
    return { run, space, message: messages.get(cause) ?? null, since: new Date(at ?? startedAt).toISOString() };
  };
  const executed = running.find(isOwn);
  if (executed !== undefined) return { state: "running", until: null, work: workOf(executed) };
  const own = waiting.filter(isOwn);
  const asking = own.find(({ id }) => waits.some(({ run, waitsFor }) => run === id && waitsFor === "approval"));
  if (asking !== undefined) return { state: "waiting", until: null, work: workOf(asking) };
  const [parked] = own.toSorted((a, b) => (a.waitsUntil ?? 0) - (b.waitsUntil ?? 0));
  if (stop !== undefined) {
    return { state: "stopped", until: null, work: parked === undefined ? null : workOf(parked, stop.at) };
  }
  if (parked === undefined) return { state: "idle", until: null, work: null };
  const until = parked.waitsUntil === null ? null : new Date(parked.waitsUntil).toISOString();
  return { state: "parked", until, work: workOf(parked) };
}

const LONGEST_BEGINNING = 200;

/** Returns the first line of a text that has one, shortened. */
function beginning(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > LONGEST_BEGINNING ? `${line.slice(0, LONGEST_BEGINNING - 1)}…` : line;
}

function sumByLane(counts: readonly LaneCount[]): Record<Lane, number> {
  const sum = (lane: Lane): number => counts.reduce((total, each) => total + (each.lane === lane ? each.count : 0), 0);
  const [immediate, normal, background] = LANES.map(sum);
  return { immediate: immediate ?? 0, normal: normal ?? 0, background: background ?? 0 };
}
