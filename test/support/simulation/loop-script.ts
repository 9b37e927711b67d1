import { mailboxAgent } from "../../../src/domain/delivery/mailbox.ts";
import type { ErrorClass } from "../../../src/domain/delivery/retry.ts";
import { systemCaller, type Caller } from "../../../src/kernel/caller.ts";
import { castVote } from "../../../src/operations/ballots/cast-vote.ts";
import { createBallot } from "../../../src/operations/ballots/create-ballot.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { readChannel } from "../../../src/operations/messages/read-channel.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { beginRun, type NextWork } from "../../../src/operations/runs/begin-run.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { settleRun } from "../../../src/operations/runs/settle-run.ts";
import { yieldRun } from "../../../src/operations/runs/yield-run.ts";
import { must } from "./broken.ts";
import { membersOf } from "./cast.ts";
import type { Chance } from "./chance.ts";
import { expectBallotOpened, expectVote } from "./expect-ballot.ts";
import { expectAck, expectReading } from "./expect-inbox.ts";
import { expectMessage } from "./expect-message.ts";
import {
  expectBegin,
  expectCheckpoint,
  expectFailure,
  expectPark,
  expectRefusal,
  expectStep,
  expectSuccess,
} from "./expect-run.ts";
import type { FaultPlan } from "./fault-plan.ts";
import type { Model, ModelRun } from "./model.ts";
import { compose } from "./speech.ts";
import type { Action } from "./world.ts";

/**
 * A loop and its engine, one call at a time: takes work, uses tools, finishes steps, gives way when told, succeeds or
 * fails. What it holds is memory of a process, and gone with it.
 */
export interface Execution {
  readonly run: ModelRun;
  readonly leaseOwner: string;
  /** The number of its claim. */
  readonly fence: number;
  /** Number of the last finished step. */
  step: number;
}

export interface Script {
  readonly chance: Chance;
  readonly plan: FaultPlan;
  readonly model: Model;
  /** The execution exists: the loop works on it from now on. */
  started(mailbox: string, execution: Execution): void;
  /** The loop has let go of its run. */
  ended(run: ModelRun): void;
}

const MAX_STEPS = 4;

export function begin(script: Script, mailbox: string, leaseOwner: string): Action {
  const { chance, model } = script;
  const asked = { mailbox, leaseOwner, batch: chance.is(0.8) ? 20 : 1 + chance.below(3) };
  return {
    label: `begin ${mailbox} as ${leaseOwner}`,
    caller: systemCaller,
    node: leaseOwner,
    operation: beginRun,
    data: asked,
    check: (record) => expectBegin(model, record, asked),
    answered: (result) => {
      const begun = result.ok ? (result.value as NextWork).begun : null;
      if (begun !== null) script.started(mailbox, execution(model, begun, leaseOwner));
    },
  };
}

/** The answer comes before the model has seen the transaction: the run is looked up when it is first needed. */
function execution(model: Model, begun: NonNullable<NextWork["begun"]>, leaseOwner: string): Execution {
  return {
    get run(): ModelRun {
      const run = model.runs.get(begun.run.id);
      must(run !== undefined, () => `${begun.run.id} is not known`);
      return run;
    },
    leaseOwner,
    fence: begun.run.fence,
    step: begun.finishedSteps,
  };
}

/** `finishing`: nothing new is said, and everything succeeds. */
export function goOn(script: Script, execution: Execution, finishing: boolean): Action {
  const { chance, plan } = script;
  if (finishing) return succeed(script, execution, true);
  const roll = chance.below(100);
  if (roll < 8) return send(script, execution);
  if (roll < 11) return read(script, execution);
  if (roll < 13) return ack(script, execution);
  if (roll < 15 && plan.ballots) return chance.is(0.2) ? openBallot(script, execution) : vote(script, execution);
  if (roll < 17) return park(script, execution);
  if (roll < 45 && execution.step < MAX_STEPS) return finishStep(script, execution);
  return chance.is(plan.failure) ? fail(script, execution) : succeed(script, execution, false);
}

function finishStep({ model, ended }: Script, execution: Execution): Action {
  const { run } = execution;
  const number = execution.step + 1;
  return {
    label: `step ${number} of ${run.id}`,
    caller: systemCaller,
    operation: checkpointStep,
    data: { ...held(execution), step: { number, transcript: "[]" } },
    check: (record) => expectCheckpoint(model, record, run, number),
    answered: (result) => {
      execution.step = number;
      if (result.ok && (result.value as { yielded: boolean }).yielded) ended(run);
    },
  };
}

function park({ model, ended }: Script, execution: Execution): Action {
  const { run } = execution;
  return {
    label: `park ${run.id}`,
    caller: systemCaller,
    operation: yieldRun,
    data: held(execution),
    check: (record) => expectPark(model, record, run),
    answered: () => ended(run),
  };
}

function succeed(script: Script, execution: Execution, finishing: boolean): Action {
  const { chance, model, ended } = script;
  const { run } = execution;
  const speech = finishing || chance.is(0.15) ? { text: "", calls: [] } : say(script, run);
  const final = { ...speech, complete: finishing || !chance.is(0.05) };
  const step = lastStep(chance, execution);
  return {
    label: `succeed ${run.id}`,
    caller: systemCaller,
    operation: settleRun,
    data: {
      ...held(execution),
      ...step,
      result: { kind: "done", text: final.text, limit: final.complete ? null : "max_steps" },
    },
    check: (record) => {
      if (step.step !== undefined) expectStep(record, run, step.step.number);
      expectSuccess(model, record, run, final);
    },
    answered: () => ended(run),
  };
}

function fail({ chance, model, ended }: Script, execution: Execution): Action {
  const { run } = execution;
  const kind = chance.one<ErrorClass>(["transient", "transient", "quota", "permanent", "crash"]);
  const step = lastStep(chance, execution);
  return {
    label: `fail ${run.id} ${kind}`,
    caller: systemCaller,
    operation: settleRun,
    data: { ...held(execution), ...step, result: { kind: "failed", class: kind, message: "the engine said no" } },
    check: (record) => {
      if (step.step !== undefined) expectStep(record, run, step.step.number);
      expectFailure(model, record, run, kind);
    },
    answered: () => ended(run),
  };
}

/** Most runs end together with the step that says the final word. */
function lastStep(
  chance: Chance,
  { step }: Execution,
): { readonly step?: { readonly number: number; readonly transcript: string } } {
  return chance.is(0.7) ? { step: { number: step + 1, transcript: "[]" } } : {};
}

function send(script: Script, execution: Execution): Action {
  const { run } = execution;
  const { chance, model } = script;
  const sender = mailboxAgent(run.mailbox);
  const { id, space, cause } = run;
  const colleagues = membersOf(space).filter(({ agent }) => agent !== sender);
  const addressee = colleagues.length > 0 && chance.is(0.3) ? chance.one(colleagues).agent : null;
  const { text, calls } = say(script, run);
  return {
    label: `${id} sends to ${addressee ?? space}`,
    caller: callerOf(execution),
    operation: sendMessage,
    data: { message: text, ...(addressee === null ? {} : { to: addressee }) },
    check: (record) => {
      expectMessage(model, record, { space, addressee, sender, kind: "message", calls, cause, run: id });
      run.spoke = true;
      run.said += 1;
    },
  };
}

function read({ chance, model }: Script, execution: Execution): Action {
  const { run } = execution;
  const limit = 1 + chance.below(30);
  return {
    label: `${run.id} reads ${limit}`,
    caller: callerOf(execution),
    operation: readChannel,
    data: { limit },
    check: (record) => expectReading(model, record, run, limit),
  };
}

function ack(script: Script, execution: Execution): Action {
  const { chance, model } = script;
  const { run } = execution;
  const own = [...model.openLetters(run), ...model.pending(run.mailbox)].filter(
    ({ message }) => message.space === run.space,
  );
  const letters = [...new Set(own.filter(() => chance.is(0.5)))];
  if (letters.length === 0) return read(script, execution);
  const ids = letters.map(({ id }) => id);
  return {
    label: `${run.id} acks ${ids.join()}`,
    caller: callerOf(execution),
    operation: ackDeliveries,
    data: { ids },
    check: (record) => expectAck(model, record, letters),
  };
}

function openBallot(script: Script, execution: Execution): Action {
  const { run } = execution;
  const { space, cause } = run;
  if (membersOf(space).length === 0) return read(script, execution);
  return {
    label: `${run.id} opens a ballot`,
    caller: callerOf(execution),
    operation: createBallot,
    data: { type: "decision", title: "Which way?", options: ["left", "right"], timeout: "10m" },
    check: (record) => expectBallotOpened(script.model, record, { space, creator: mailboxAgent(run.mailbox), cause }),
  };
}

function vote(script: Script, execution: Execution): Action {
  const { chance, model } = script;
  const { run } = execution;
  const ballot = model.ballots
    .values()
    .filter(({ space }) => space === run.space)
    .toArray()
    .at(-1);
  if (ballot === undefined) return read(script, execution);
  return {
    label: `${run.mailbox} votes in ${ballot.id}`,
    caller: callerOf(execution),
    operation: castVote,
    data: { id: ballot.id, option: chance.one(["left", "right"]) },
    check: (record) => expectVote(model, record, ballot, mailboxAgent(run.mailbox)),
  };
}

/** An execution of a life that is over tries to write: whatever it says, it must be refused. */
export function haunt({ chance }: Script, ghost: Execution): Action {
  const data = held(ghost);
  const asAgent = { caller: callerOf(ghost) };
  const attempt = chance.one<Pick<Action, "operation" | "data"> & Partial<Pick<Action, "caller">>>([
    { operation: sendMessage, data: { message: "I am still here @all" }, ...asAgent },
    { operation: readChannel, data: { limit: 5 }, ...asAgent },
    { operation: ackDeliveries, data: { ids: ["dlv_1"] }, ...asAgent },
    { operation: checkpointStep, data: { ...data, step: { number: ghost.step + 1, transcript: "[]" } } },
    { operation: yieldRun, data },
    { operation: settleRun, data: { ...data, result: { kind: "done", text: "I am still here @all" } } },
  ]);
  return {
    label: `ghost of ${ghost.leaseOwner} on ${ghost.run.id}`,
    caller: systemCaller,
    ...attempt,
    check: (record) => expectRefusal(record, "lease_lost"),
  };
}

function say({ chance, plan }: Script, { space, mailbox }: ModelRun) {
  const { talkative, terse } = plan;
  return compose(chance, { space, speaker: mailboxAgent(mailbox), talkative, terse });
}

function held({ run, leaseOwner, fence }: Execution) {
  return { run: run.id, space: run.space, leaseOwner, fence };
}

function callerOf({ run: { mailbox, space, id, cause }, fence }: Execution): Caller {
  return { kind: "agent", name: mailboxAgent(mailbox), space, run: id, fence, cause };
}
