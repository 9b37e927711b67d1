import type { RunDefinitionView, RunView, StepView } from "../../contract/runs.ts";
import { stepTotal, type UsageTotal } from "../../domain/budget/usage.ts";
import type { PastStep } from "../../ports/store/run-history.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { toUsageView } from "../usage/view.ts";
import { findRunAgent, fingerprintOf } from "./run-agent.ts";
import type { RunStop } from "./run-stop.ts";

/** A run that was stopped waits for something new, whatever it waited for before. */
export function toRunView(run: RunRecord, used: UsageTotal, stop: RunStop | undefined): RunView {
  const { id, agent, space, lane, state, outcome, detail, cause, model } = run;
  const { waitsFor, waitsSince, waitsUntil, reason } = stop === undefined ? run : stoppedWait(stop);
  return {
    id,
    agent,
    space,
    lane,
    state,
    outcome,
    detail,
    reason,
    waitsFor,
    since: waitsFor === null || waitsSince === null ? null : new Date(waitsSince).toISOString(),
    until: waitsUntil === null ? null : new Date(waitsUntil).toISOString(),
    cause,
    startedAt: new Date(run.startedAt).toISOString(),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    model,
    usage: toUsageView(used),
  };
}

function stoppedWait({ at, what }: RunStop): Pick<RunRecord, "waitsFor" | "waitsSince" | "waitsUntil" | "reason"> {
  const reason = what === "agent" ? "A person stopped it." : "Its workspace was stopped.";
  return { waitsFor: "message", waitsSince: at, waitsUntil: null, reason };
}

export async function toRunDefinitionView(
  store: StoreReads,
  definitions: Definitions,
  run: RunRecord,
): Promise<RunDefinitionView | null> {
  if (run.definition === null) return null;
  const { files, fingerprint } = run.definition;
  const found = await findRunAgent(store, definitions, run);
  const isSame = found.kind === "found" && fingerprintOf(found.agent) === fingerprint;
  const changedAt = isSame ? null : definitions.changedAt(files);
  return {
    files: [...files],
    fingerprint,
    now: found.kind !== "found" ? found.kind : isSame ? "same" : "changed",
    changedAt: changedAt === null ? null : new Date(changedAt).toISOString(),
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
