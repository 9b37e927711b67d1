import { mailboxAgent } from "../../../src/domain/delivery/mailbox.ts";
import type { ErrorClass } from "../../../src/domain/delivery/retry.ts";
import { isReservedName } from "../../../src/domain/names.ts";
import type { NextWork } from "../../../src/operations/runs/begin-run.ts";
import { must } from "./broken.ts";
import { expectMessage, expectNotice, exceedChainBudget } from "./expect-message.ts";
import { claim, laneAt, type Letter, type Model, type ModelRun } from "./model.ts";
import type { TransactionRecord } from "./transaction-record.ts";

const MAX_ATTEMPTS = 5;
const MAX_CRASHES = 2;
const MAX_RECOVERIES = 10;
const SUSPECT_FROM = 2;

/** What the operations on runs must have done, in the terms of the model. */

export function expectBegin(
  model: Model,
  record: TransactionRecord,
  asked: { readonly mailbox: string; readonly leaseOwner: string; readonly batch: number },
): void {
  const { begun, nextDue, busy } = accepted<NextWork>(record);
  const { mailbox, leaseOwner, batch } = asked;
  const { now } = record;
  const open = model.openRunOf.get(mailbox);
  must(busy?.id === open?.id, () => `${mailbox} is busy with ${busy?.id}, not with ${open?.id}`);
  if (open !== undefined) {
    must(begun === null, () => `${mailbox} began ${begun?.run.id} beside ${open.id}`);
    return;
  }
  const held = model.heldUntil(mailbox, now);
  if (held !== null && model.next(mailbox, now) !== undefined) {
    must(begun === null, () => `${mailbox} began ${begun?.run.id}, although its provider must not be asked`);
    must(nextDue !== null && nextDue <= held, () => `${mailbox} was told ${nextDue}, not ${held}`);
    return;
  }
  let next = model.next(mailbox, now);
  while (next !== undefined && next.run === null && !chargeTurn(model, record, next)) next = model.next(mailbox, now);
  if (next === undefined) {
    must(begun === null, () => `${mailbox} has nothing to do and began ${begun?.run.id}`);
    must(
      nextDue === model.nextDue(mailbox, now),
      () => `${mailbox} was told ${nextDue}, not ${model.nextDue(mailbox, now)}`,
    );
    return;
  }
  must(begun !== null, () => `${mailbox} began nothing although ${next.id} waits`);
  const lane = laneAt(next, now);
  must(begun.run.lane === lane, () => `${begun.run.id} is ${begun.run.lane}, taken when ${lane}`);
  const run = next.run ?? openedRun(model, record, next, begun.run.id);
  must(begun.run.id === run.id, () => `${mailbox} began ${begun.run.id} instead of resuming ${run.id}`);
  must(
    begun.finishedSteps === run.steps,
    () => `${run.id} goes on after step ${begun.finishedSteps}, it had finished ${run.steps}`,
  );
  const leased = next.run === null ? [next, ...siblings(model, next, batch, now)] : model.openLetters(run);
  const ids = begun.deliveries.map(({ id }) => id);
  must(
    ids.join() === leased.map(({ id }) => id).join(),
    () => `${run.id} took ${ids.join()}, not ${leased.map(({ id }) => id).join()}`,
  );
  for (const letter of leased) model.expectMove(record, letter, { status: "leased", run });
  model.moveRun(run, "open");
  run.heldUntil = null;
  run.leaseOwner = leaseOwner;
  run.fence += 1;
  must(begun.run.fence === run.fence, () => `${run.id} has the fence ${begun.run.fence}, not ${run.fence}`);
  run.lane = lane;
}

function openedRun(model: Model, record: TransactionRecord, next: Letter, id: string): ModelRun {
  const opened = claim(
    record.runsOpened,
    (each) => each.id === id,
    () => `${id} was not written down`,
  );
  const expected = {
    mailbox: next.mailbox,
    space: next.message.space,
    cause: next.message.id,
    lane: laneAt(next, record.now),
  };
  const told = () => `${id} was opened as ${JSON.stringify(opened)} for ${JSON.stringify(expected)}`;
  must(opened.mailbox === expected.mailbox && opened.space === expected.space, told);
  must(opened.cause === expected.cause && opened.lane === expected.lane, told);
  must(!model.runs.has(id), () => `the id ${id} was used twice`);
  const run: ModelRun = {
    id,
    order: model.runs.size,
    ...expected,
    leaseOwner: opened.leaseOwner,
    fence: 0,
    state: "parked",
    steps: 0,
    spoke: false,
    recoveries: 0,
    outcome: null,
    heldUntil: null,
    said: 0,
    replies: 0,
  };
  model.runs.set(id, run);
  return run;
}

/** The oldest of the same space that no run has had, as many as the batch allows. Who is waited for is alone. */
function siblings(model: Model, next: Letter, batch: number, now: number): Letter[] {
  if (next.awaited) return [];
  const here = model.due(next.mailbox, now).filter(({ message }) => message.space === next.message.space);
  return here
    .slice(0, batch)
    .filter((each) => each !== next && each.run === null && !each.awaited)
    .slice(0, batch - 1);
}

/** False: the chain has no turn left, and the letter must have died of it. */
function chargeTurn(model: Model, record: TransactionRecord, letter: Letter): boolean {
  const tree = model.tree(letter.message.root);
  if (!tree.tripped && tree.turns < model.limits.turns) {
    tree.turns += 1;
    return true;
  }
  if (!tree.tripped) exceedChainBudget(model, record, letter.message.root, letter.message.space);
  model.expectMove(record, letter, { status: "dead", run: null });
  return false;
}

export function expectCheckpoint(model: Model, record: TransactionRecord, run: ModelRun, number: number): void {
  const { yielded } = accepted<{ yielded: boolean }>(record);
  expectStep(record, run, number);
  const urgent = model.isMoreUrgentDue(run.mailbox, run.lane, record.now) && model.openLetters(run).length > 0;
  must(yielded === urgent, () => `${run.id} did ${yielded ? "" : "not "}give way`);
  if (yielded) expectAside(model, record, run);
}

/** A step is kept once, in its place: one that is kept is never executed again. */
export function expectStep(record: TransactionRecord, run: ModelRun, number: number): void {
  const step = claim(
    record.steps,
    (each) => each.run === run.id,
    () => `step ${number} of ${run.id} was not kept`,
  );
  must(
    step.number === number && number === run.steps + 1,
    () => `step ${step.number} of ${run.id} follows step ${run.steps}`,
  );
  run.steps = number;
  run.recoveries = 0;
}

export function expectPark(model: Model, record: TransactionRecord, run: ModelRun): void {
  const { parked } = accepted<{ parked: boolean }>(record);
  const letters = model.openLetters(run);
  must(
    parked === letters.length > 0,
    () => `${run.id} was ${parked ? "" : "not "}parked with ${letters.length} letters`,
  );
  if (!parked) {
    model.expectEnd(record, run, "stopped");
    return;
  }
  expectAside(model, record, run);
}

function expectAside(model: Model, record: TransactionRecord, run: ModelRun): void {
  for (const letter of model.openLetters(run)) {
    model.expectMove(record, letter, {
      status: "pending",
      run,
      preempted: letter.preempted + 1,
      notBefore: record.now,
    });
  }
  model.moveRun(run, "parked");
}

export interface FinalText {
  readonly text: string;
  readonly calls: readonly string[];
  readonly complete: boolean;
}

export function expectSuccess(model: Model, record: TransactionRecord, run: ModelRun, final: FinalText): void {
  const { outcome } = accepted<{ outcome: string }>(record);
  for (const letter of model.openLetters(run)) model.expectMove(record, letter, { status: "acked", run });
  const says = final.text !== "" && !run.spoke;
  if (says) {
    const { space, cause, id } = run;
    const sender = mailboxAgent(run.mailbox);
    expectMessage(model, record, {
      space,
      addressee: null,
      sender,
      kind: "message",
      calls: final.calls,
      cause,
      run: id,
    });
    run.said += 1;
    run.replies += 1;
  }
  if (!final.complete) expectNotice(model, record, run.space);
  must(run.replies === Number(says), () => `${run.id} replied ${run.replies} times`);
  const expected = !final.complete ? "incomplete" : says || run.spoke ? "answered" : "silent";
  must(outcome === expected, () => `${run.id} ended as ${outcome}, not ${expected}`);
  model.expectEnd(record, run, expected);
}

export function expectFailure(model: Model, record: TransactionRecord, run: ModelRun, kind: ErrorClass): void {
  const { outcome, resumeAt } = accepted<{ outcome: string; resumeAt: number | null }>(record);
  const letters = model.openLetters(run);
  const failed = 1 + Math.max(0, ...letters.map(({ attempts }) => attempts));
  const dead =
    kind === "permanent" || (kind === "crash" && failed >= MAX_CRASHES) || (kind !== "quota" && failed >= MAX_ATTEMPTS);
  if (letters.length === 0 || dead) {
    must(outcome === "failed", () => `${run.id} failed (${kind}) and was ${outcome}`);
    bury(model, record, run, letters);
    return;
  }
  must(outcome === "retry" && resumeAt !== null, () => `${run.id} failed (${kind}) and was ${outcome}`);
  must(resumeAt >= record.now, () => `${run.id} is to be retried in the past`);
  for (const letter of letters) {
    const attempts = letter.attempts + (kind === "quota" ? 0 : 1);
    model.expectMove(record, letter, { status: "pending", run, attempts, notBefore: resumeAt });
  }
  run.heldUntil = kind === "quota" ? resumeAt : null;
  model.moveRun(run, "parked");
}

/** Everybody whose letter died is told, except where the letter was itself such news. Who wrote it after such news is not woken. */
function bury(model: Model, record: TransactionRecord, run: ModelRun, letters: readonly Letter[]): void {
  const { space } = run;
  for (const letter of letters) model.expectMove(record, letter, { status: "dead", run: null });
  const answerable = letters.map(({ message }) => message).filter(({ kind }) => kind !== "notice");
  for (const [sender, theirs] of Map.groupBy(answerable, (message) => message.sender)) {
    const [first] = theirs;
    const writing = first?.run == null ? undefined : model.runs.get(first.run);
    const triedAgain = writing !== undefined && model.messages.get(writing.cause)?.kind === "notice";
    if (!space.startsWith("@") || isReservedName(sender) || triedAgain) expectNotice(model, record, space);
    else {
      const cause = theirs[0]?.id ?? null;
      expectMessage(model, record, {
        space,
        addressee: sender,
        sender: "system",
        kind: "notice",
        calls: [],
        cause,
        run: null,
      });
    }
  }
  model.expectEnd(record, run, "failed");
}

export function expectRecovery(model: Model, record: TransactionRecord, leaseOwner: string): void {
  const { runs } = accepted<{ runs: number }>(record);
  const left = [...model.openRunOf.values()]
    .filter((run) => run.leaseOwner !== leaseOwner && !isThere(model, run.leaseOwner, record.now))
    .toSorted((a, b) => a.order - b.order);
  must(runs === left.length, () => `${runs} runs were recovered, ${left.length} were left`);
  const suspects = left.filter(({ recoveries }) => recoveries >= SUSPECT_FROM);
  for (const run of left) {
    const letters = model.openLetters(run);
    const place = suspects.indexOf(run);
    const charged = place === -1 || suspects.length === 1;
    if (letters.length === 0) model.expectEnd(record, run, "stopped");
    else if (charged && run.recoveries >= MAX_RECOVERIES) bury(model, record, run, letters);
    else {
      const wait = Math.min(60_000, 1_000 * 2 ** (run.recoveries - SUSPECT_FROM)) * (place + 1);
      const notBefore = place === -1 ? null : record.now + wait;
      for (const letter of letters) model.expectMove(record, letter, { status: "pending", run, notBefore });
      if (charged) run.recoveries += 1;
      model.moveRun(run, "parked");
    }
  }
  const forgotten = [...model.openRunOf.values()].find(
    (run) => run.leaseOwner !== leaseOwner && !isThere(model, run.leaseOwner, record.now),
  );
  must(forgotten === undefined, () => `${forgotten?.id} is still open after the recovery`);
}

const LEASE_MS = 10_000;

function isThere({ nodes }: Model, instance: string, now: number): boolean {
  const node = nodes.get(instance);
  return node !== undefined && !node.left && now <= node.beatAt + LEASE_MS;
}

export function accepted<T>(record: TransactionRecord): T {
  const { result } = record;
  must(result?.ok === true, () => `refused: ${JSON.stringify(result)}`);
  return result.value as T;
}

export function expectRefusal(record: TransactionRecord, code: string): void {
  const { result } = record;
  must(result !== undefined && !result.ok, () => `not refused with ${code}: ${JSON.stringify(result)}`);
  must(result.error.code === code, () => `refused with ${result.error.code}, not ${code}`);
}
