import type { RequestResult, RunEvent } from "../../contract/service/work-request.ts";
import { addTotals, NOTHING_USED, type UsageTotal } from "../../domain/budget/usage.ts";
import type { RecordedEvent } from "../../domain/event.ts";
import { parseTarget } from "../../domain/message/target.ts";
import { person } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { findAgent } from "../../operations/agents/find-agent.ts";
import { sendMessage } from "../../operations/messages/send-message.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { RunningProject } from "../running-project.ts";
import { unanswered } from "../workflows/unanswered.ts";
import { requestResult } from "./request-result.ts";
import { observeRequest } from "./watch-request.ts";

/**
 * Sends one agent a direct message and resolves when that message is settled. Several clients may do so at once: this
 * request includes everything its message caused, and the run that answered it, perhaps together with other messages.
 */
export async function askAgent(
  project: RunningProject,
  request: { readonly agent: string; readonly message: string },
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const target = parseTarget(request.agent);
  if (!target.ok) return target;
  if (target.value.kind !== "dm") {
    return refuse("invalid", `"${request.agent}" is not the name of an agent.`, {
      hint: "An agent is asked by its name alone; send-message reaches it in a workspace.",
    });
  }
  const { agent } = target.value;
  // Whoever waits for an answer learns at once that there will be none.
  const known = await findAgent(project.definitions, agent);
  if (!known.ok) return known;
  using watch = observeRequest(project, agent, emit);
  const sent = await project.system.propose(person, sendMessage, { to: agent, message: request.message });
  if (!sent.ok) return sent;

  const { id } = sent.value;
  const read = <T>(work: (store: StoreReads) => Promise<T>): Promise<T> => project.store.read(work);
  const delivery = await read((store) => deliveryOf(store, agent, id));
  emit({ type: "started", space: agent, participants: [agent] });
  watch.follow({
    run: async (run) =>
      (await read((store) => store.runs.byId(run)))?.root === id ||
      (await read((store) => current(store, delivery)))?.run === run,
    message: ({ root, run }) => root === id || (run !== null && watch.runs.has(run)),
  });
  await untilSettled(project, agent, delivery, signal);
  await watch.caughtUp();

  return await read(async (store) => {
    const last = await current(store, delivery);
    const failed = last === undefined || last.state.status === "acked" ? [] : [unanswered(last)];
    const used = await usageOf(store, watch.runs);
    return ok(await requestResult(store, { space: agent, participants: [agent], watch, failed, used }));
  });
}

/** Returns the delivery of a message that was just sent; undefined when it is already settled. */
async function deliveryOf(store: StoreReads, agent: string, message: string): Promise<DeliveryRecord | undefined> {
  const limit = (await store.deliveries.countOpenByMailbox(agent)).get(agent) ?? 0;
  const open = limit === 0 ? [] : await store.deliveries.inbox({ mailbox: agent, space: agent, limit });
  const dead = await store.deliveries.dead({ space: agent, limit: 100 });
  return [...open, ...dead].find((each) => each.message.id === message)?.delivery;
}

async function current(store: StoreReads, delivery: DeliveryRecord | undefined): Promise<DeliveryRecord | undefined> {
  return delivery === undefined ? undefined : (await store.deliveries.byIds([delivery.id]))[0];
}

const MAY_SETTLE: ReadonlySet<RecordedEvent["type"]> = new Set([
  "run.ended",
  "delivery.acked",
  "delivery.dead",
  "delivery.dropped",
]);

/** Resolves when the delivery is settled and its run has ended, or when the agent is idle because it was stopped. */
async function untilSettled(
  project: RunningProject,
  agent: string,
  delivery: DeliveryRecord | undefined,
  signal: AbortSignal,
): Promise<void> {
  const settled = Promise.withResolvers<void>();
  const check = async (): Promise<void> => {
    if (await project.store.read((store) => isSettled(store, delivery))) settled.resolve();
  };
  const checkNow = (): void => void check().catch(settled.reject);
  using _observing = project.events.observe((events) => {
    if (events.some((event) => MAY_SETTLE.has(event.type) && "space" in event && event.space === agent)) checkNow();
  });
  checkNow();
  const done = new AbortController();
  try {
    const idle = project.runtime.idle.untilIdle(agent, AbortSignal.any([signal, done.signal]));
    await Promise.race([settled.promise, idle]);
  } finally {
    done.abort();
  }
}

async function isSettled(store: StoreReads, delivery: DeliveryRecord | undefined): Promise<boolean> {
  const last = await current(store, delivery);
  if (last === undefined) return true;
  if (last.state.status === "pending" || last.state.status === "leased") return false;
  const run = last.run === null ? undefined : await store.runs.byId(last.run);
  return run === undefined || run.state === "ended";
}

async function usageOf(store: StoreReads, runs: ReadonlySet<string>): Promise<UsageTotal> {
  let used = NOTHING_USED;
  for (const run of runs) used = addTotals(used, await store.runs.usage({ run }));
  return used;
}
