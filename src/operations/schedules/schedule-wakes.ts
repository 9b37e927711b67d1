import { brokenFileHint } from "../../domain/agent/broken-file.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import type { Space } from "../../domain/message/message.ts";
import { formatSpace, parseSpace } from "../../domain/message/space.ts";
import { formatTarget, targetSpace, type Target } from "../../domain/message/target.ts";
import { isSubSpace } from "../../domain/workspace/sub-space.ts";
import { wakeSpace } from "../../domain/schedule/wake-space.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { DEFINED, parseScheduleTarget, scheduleRecipients } from "./schedule-target.ts";

export interface Recipient {
  readonly target: Target;
  readonly mailbox: string;
}

/** Whom a schedule wakes now, and where. */
export interface ScheduleWakes {
  /** The agents it is for, whether it rests or not. */
  readonly agents: readonly string[];
  readonly recipients: readonly Recipient[];
  /** Why it rests; null when it does not. A schedule that rests fires at none of its times. */
  readonly rests: string | null;
  /** When its workspace was opened. An interval does not count the time before. */
  readonly openedAt: number;
}

/**
 * A schedule of a workspace rests while the workspace is not running. A schedule of a definition that names a workflow
 * wakes the agent in a running workspace of it, else in its direct messages.
 */
export async function scheduleWakes(
  store: StoreReads,
  definitions: Definitions,
  schedule: ScheduleRecord,
  schedules: readonly ScheduleRecord[],
): Promise<ScheduleWakes> {
  const parsed = parseScheduleTarget(schedule.target);
  const agents = await scheduleRecipients(store, definitions, schedule, schedules);
  const nobody = (rests: string): ScheduleWakes => ({ agents, recipients: [], rests, openedAt: 0 });
  if (!parsed.ok) return nobody(parsed.error.message);
  const wakes = await wakesOf(store, definitions, schedule, { target: parsed.value.target, agents });
  return wakes.rests === null && schedule.pausedAt !== null ? { ...wakes, rests: PAUSED } : wakes;
}

const PAUSED = "A person paused it.";

async function wakesOf(
  store: StoreReads,
  definitions: Definitions,
  schedule: ScheduleRecord,
  { target, agents }: { readonly target: Target; readonly agents: readonly string[] },
): Promise<ScheduleWakes> {
  const nobody = (rests: string): ScheduleWakes => ({ agents, recipients: [], rests, openedAt: 0 });
  if (target.kind === "dm") {
    if (definitions.agent(target.agent) === undefined) {
      const problem = definitions.broken({ agent: target.agent, workflow: null });
      return nobody(problem === undefined ? `There is no agent called "${target.agent}".` : brokenFileHint(problem));
    }
    const place = schedule.createdBy === DEFINED ? await definedPlace(store, definitions, target.agent) : target;
    const recipient = (await recipientAt(store, target.agent, place)) ?? { target, mailbox: target.agent };
    return { agents, recipients: [recipient], rests: null, openedAt: 0 };
  }
  const space = formatSpace(targetSpace(target));
  const workspace = await store.workspaces.byKey(space);
  if (workspace?.state !== "open") return nobody(`${formatTarget({ ...target, kind: "channel" })} is not running.`);
  const recipients: Recipient[] = [];
  for (const agent of agents) {
    const recipient = await recipientAt(store, agent, target);
    if (recipient !== undefined) recipients.push(recipient);
  }
  if (recipients.length > 0) return { agents, recipients, rests: null, openedAt: workspace.openedAt };
  return nobody(
    target.kind === "agent" ? `${target.agent} does not take part.` : "Everyone has a schedule of their own.",
  );
}

async function recipientAt(store: StoreReads, agent: string, target: Target): Promise<Recipient | undefined> {
  if (target.kind === "dm") return { target, mailbox: agent };
  const space = formatSpace(targetSpace(target));
  const member = await store.workspaces.member(space, agent);
  if (member === undefined) return undefined;
  return { target: { ...target, kind: "agent", agent }, mailbox: mailboxOf(agent, member.ref, space) };
}

/** The schedule of a definition may name a workflow: any running workspace of it that the agent takes part in. */
async function definedPlace(store: StoreReads, definitions: Definitions, agent: string): Promise<Target> {
  const workspace = definitions.agent(agent)?.schedule?.workspace;
  const running: Space[] = [];
  for (const key of workspace === undefined ? [] : await store.workspaces.workspacesOf(agent)) {
    if (isSubSpace(key)) continue;
    const space = parseSpace(key);
    if (space.ok && (await store.workspaces.member(key, agent))?.ref === agent) running.push(space.value);
  }
  const place = wakeSpace(agent, workspace, running);
  return place.kind === "dm" ? place : { ...place, kind: "agent", agent };
}
