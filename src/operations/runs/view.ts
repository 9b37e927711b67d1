import type { RunView, StepView } from "../../contract/runs.ts";
import { stepTotal, type UsageTotal } from "../../domain/budget/usage.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { PastStep } from "../../ports/store/run-history.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import { toUsageView } from "../usage/view.ts";

export function toRunView(run: RunRecord, used: UsageTotal): RunView {
  const { id, mailbox, space, lane, state, outcome, detail, reason, waitsFor, waitsSince, waitsUntil, cause, model } = run;
  return {
    id,
    agent: mailboxAgent(mailbox),
    space,
    lane,
    state,
    outcome,
    detail,
    reason,
    waitsFor,
    since: waitsSince === null ? null : new Date(waitsSince).toISOString(),
    until: waitsUntil === null ? null : new Date(waitsUntil).toISOString(),
    cause,
    startedAt: new Date(run.startedAt).toISOString(),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    model,
    usage: toUsageView(used),
  };
}

export function toStepView(step: PastStep): StepView {
  return {
    number: step.number,
    finishedAt: new Date(step.finishedAt).toISOString(),
    usage: toUsageView(stepTotal(step)),
    calls: step.calls.map((call) => ({ ...call })),
  };
}
