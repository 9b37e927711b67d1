import type { z } from "zod";
import type { ErrorClass } from "../../../src/domain/delivery/retry.ts";
import { person, systemCaller, type Caller } from "../../../src/kernel/caller.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { beginRun, type BegunRun, type NextWork } from "../../../src/operations/runs/begin-run.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { recoverRuns } from "../../../src/operations/runs/recover-runs.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { yieldRun } from "../../../src/operations/runs/yield-run.ts";
import type { DeliveryRecord } from "../../../src/ports/store/delivery.ts";
import type { MessageRecord } from "../../../src/ports/store/message.ts";
import type { RunRecord } from "../../../src/ports/store/run.ts";
import { callOk, type TestProject } from "./project.ts";

/** One life of a daemon, as far as runs know it: takes them, keeps their steps, lets go of them. */
export interface RunHolder {
  readonly leaseOwner: string;
  /** Null when there is nothing to do. */
  next(mailbox: string, batch?: number): Promise<BegunRun | null>;
  /** There must be something to do. */
  begin(mailbox: string, batch?: number): Promise<BegunRun>;
  step(begun: BegunRun, number: number): Promise<{ yielded: boolean }>;
  park(begun: BegunRun): Promise<{ parked: boolean }>;
  succeed(begun: BegunRun, text: string, more?: object): Promise<{ outcome: string; resumeAt: number | null }>;
  fail(begun: BegunRun, kind: ErrorClass, more?: object): Promise<{ outcome: string; resumeAt: number | null }>;
  recover(): Promise<{ runs: number; buried: number }>;
}

export function runHolder(project: TestProject, leaseOwner = "own_1"): RunHolder {
  const held = ({ run }: BegunRun) => ({ run: run.id, space: run.space, leaseOwner, fence: run.fence });
  const next = async (mailbox: string, batch?: number) =>
    (await nextWork(project, { mailbox, leaseOwner, ...(batch === undefined ? {} : { batch }) })).begun;
  return {
    leaseOwner,
    next,
    async begin(mailbox, batch) {
      const begun = await next(mailbox, batch);
      if (begun === null) throw new Error(`${mailbox} has nothing to do`);
      return begun;
    },
    step: (begun, number) =>
      callOk(project, systemCaller, checkpointStep, {
        ...held(begun),
        step: { number, transcript: `["step ${number}"]` },
      }),
    park: (begun) => callOk(project, systemCaller, yieldRun, held(begun)),
    succeed: (begun, text, more = {}) =>
      callOk(project, systemCaller, settleRun, { ...held(begun), result: { kind: "done", text, ...more } }),
    fail: (begun, kind, more = {}) =>
      callOk(project, systemCaller, settleRun, {
        ...held(begun),
        result: { kind: "failed", class: kind, message: "no luck", ...more },
      }),
    recover: () => callOk(project, systemCaller, recoverRuns, { leaseOwner }),
  };
}

/** Begins the next run as a loop does: the definitions are read again where their files changed. */
export async function nextWork(project: TestProject, asked: z.input<typeof beginRun.input>): Promise<NextWork> {
  const next = await callOk(project, systemCaller, beginRun, asked);
  if (next.outdated !== true) return next;
  await project.definitions.refresh();
  return callOk(project, systemCaller, beginRun, { ...asked, refreshed: true });
}

export function send(project: TestProject, to: string, message: string) {
  return callOk(project, person, sendMessage, { to, message });
}

/** The agent of a run, as its token makes it. */
export function agentOf({ run }: BegunRun): Caller {
  return { kind: "agent", name: run.agent, space: run.space, run: run.id, fence: run.fence, cause: run.cause };
}

export function runRecord(project: TestProject, { run }: BegunRun): Promise<RunRecord | undefined> {
  return project.store.read((store) => store.runs.byId(run.id));
}

/** What has become of the deliveries a run began with. */
export function deliveriesOf(project: TestProject, { deliveries }: BegunRun): Promise<DeliveryRecord[]> {
  return project.store.read((store) => store.deliveries.byIds(deliveries.map(({ id }) => id)));
}

export function messagesIn(project: TestProject, space: string): Promise<MessageRecord[]> {
  return project.store.read((store) => store.messages.page({ space, limit: 500 }));
}

/** Texts of the messages a run took, in its order. */
export async function textsOf(project: TestProject, begun: BegunRun | null): Promise<string[]> {
  const ids = (begun?.deliveries ?? []).map(({ message }) => message);
  const messages = await project.store.read((store) => Promise.all(ids.map((id) => store.messages.byId(id))));
  return messages.map((message) => message?.body ?? "");
}
