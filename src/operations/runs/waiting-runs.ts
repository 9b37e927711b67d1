import type { WaitingRun } from "../../contract/runs.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import type { WaitKind } from "../../domain/outcome.ts";
import type { AgentStopRecord } from "../../ports/store/agent-stop.ts";
import type { ApprovalRecord } from "../../ports/store/approval.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** The runs that have not ended, by what they do now, oldest first. Every figure about runs comes from here. */
export interface UnfinishedRuns {
  /** A loop executes them. */
  readonly running: readonly RunRecord[];
  /** They have begun, and go on when a person decides, at a time, or when it is their turn. */
  readonly waiting: readonly RunRecord[];
  /** What those of them wait for that do not only wait for their turn. */
  readonly waits: readonly WaitingRun[];
  /** The agents that a person stopped, by mailbox. */
  readonly stops: ReadonlyMap<string, AgentStopRecord>;
}

const MOST_APPROVALS = 500;

export async function readUnfinishedRuns(store: StoreReads): Promise<UnfinishedRuns> {
  const unfinished = await inOpenSpaces(store, await store.runs.unfinished());
  const stops = new Map((await store.stops.list()).map((stop) => [stop.mailbox, stop]));
  if (unfinished.length === 0) return { running: [], waiting: [], waits: [], stops };
  const pending = await store.approvals.list({ state: "pending", limit: MOST_APPROVALS });
  // The list is newest first, and a run waits for its oldest.
  const approvals = new Map(pending.map((approval) => [approval.run, approval]));
  const isWaiting = (run: RunRecord): boolean => run.state !== "open" || approvals.has(run.id);
  const waiting = unfinished.filter(isWaiting);
  return {
    running: unfinished.filter((run) => !isWaiting(run)),
    waiting,
    waits: waiting.flatMap((run) => toWaitingRun(run, approvals.get(run.id), stops.get(run.mailbox)) ?? []),
    stops,
  };
}

/** What a stopped workspace holds goes on only with it: it is no work of now. */
async function inOpenSpaces(store: StoreReads, runs: readonly RunRecord[]): Promise<RunRecord[]> {
  const closed = new Set<string>();
  for (const space of new Set(runs.map((run) => run.space))) {
    if ((await store.workspaces.status(space))?.state === "closed") closed.add(space);
  }
  return runs.filter(({ space, state }) => state === "open" || !closed.has(space));
}

/** Returns what a run waits for; null when it does not wait, or only for its turn. */
export async function waitOf(store: StoreReads, run: RunRecord): Promise<WaitingRun | null> {
  if (run.state === "ended") return null;
  const pending = (await store.approvals.ofRun(run.id)).find(({ state }) => state === "pending");
  return toWaitingRun(run, pending, await store.stops.ofMailbox(run.mailbox));
}

function toWaitingRun(
  run: RunRecord,
  approval: ApprovalRecord | undefined,
  stop: AgentStopRecord | undefined,
): WaitingRun | null {
  if (approval === undefined && stop !== undefined) return stoppedRun(run, stop);
  const waitsFor = approval === undefined ? run.waitsFor : "approval";
  if (waitsFor === null) return null;
  const since = (run.waitsFor === null ? null : run.waitsSince) ?? approval?.requestedAt ?? run.startedAt;
  const { waitsUntil } = run;
  return {
    agent: run.agent,
    run: run.id,
    space: run.space,
    waitsFor,
    since: new Date(since).toISOString(),
    until: waitsUntil === null ? null : new Date(waitsUntil).toISOString(),
    reason: approval === undefined ? (run.reason ?? "") : `${approval.tool} ${approval.args}`,
    approval: approval?.id ?? null,
    next: nextStep(run, waitsFor, approval?.id ?? "ID"),
  };
}

function stoppedRun(run: RunRecord, { at }: AgentStopRecord): WaitingRun {
  return {
    agent: run.agent,
    run: run.id,
    space: run.space,
    waitsFor: "message",
    since: new Date(at).toISOString(),
    until: null,
    reason: "A person stopped it.",
    approval: null,
    next: nextStep(run, "message", ""),
  };
}

/** Says what a person can do about a run that waits. */
function nextStep({ agent, space }: RunRecord, waitsFor: WaitKind, approval: string): string {
  switch (waitsFor) {
    case "approval":
      return `Approve with: agent-worker approve ${approval} (refuse with: agent-worker deny ${approval})`;
    case "quota":
    case "provider":
      return `It goes on by itself. To go on sooner, name another model in the file of ${agent}: model: [FIRST, SECOND]`;
    case "message":
      return `It goes on when something new comes for it: agent-worker send ${addressOf(agent, space)} "go on"`;
    case "retry":
      return `It tries again by itself. Let it rest until something new comes: agent-worker stop ${addressOf(agent, space)}`;
  }
}

/** Returns what people type for an agent in a space: `alice`, or `alice@review`. */
export function addressOf(agent: string, space: string): string {
  const mailbox = mailboxOf(agent, space.startsWith("@") ? null : agent, space);
  return mailbox.endsWith(`:${DEFAULT_TAG}`) ? mailbox.slice(0, -DEFAULT_TAG.length - 1) : mailbox;
}
