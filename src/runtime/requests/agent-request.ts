import type { RequestResult, RunEvent } from "../../contract/service/work-request.ts";
import { addTotals, NOTHING_USED, type UsageTotal } from "../../domain/budget/usage.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import type { RecordedEvent } from "../../domain/event.ts";
import { PERSON } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import { person } from "../../kernel/caller.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { findUsableAgent } from "../../operations/agents/find-agent.ts";
import { sendMessage } from "../../operations/messages/send-message.ts";
import { toMessageView } from "../../operations/messages/view.ts";
import { waitOf } from "../../operations/runs/waiting-runs.ts";
import { providerHold } from "../../operations/troubles/provider-hold.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { RunningProject } from "../running-project.ts";
import { outcomeOfRequest } from "./request-outcome.ts";
import { requestResult } from "./request-result.ts";
import { untilWaitsTooLong, type ReadDeliveries } from "./wait-limit.ts";
import { observeRequest } from "./watch-request.ts";

export interface MessageRequest {
  readonly to: string;
  readonly message: string;
  readonly lane?: Lane | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly waitLimitMs?: number | undefined;
}

/** Sends one agent a direct message and resolves when it is settled. */
export async function askAgent(
  project: RunningProject,
  { agent, ...request }: { readonly agent: string } & Omit<MessageRequest, "to">,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const target = parseTarget(agent);
  if (!target.ok) return target;
  if (target.value.kind !== "dm") {
    return refuse("invalid", `"${agent}" is not the name of an agent.`, {
      hint: "An agent is asked by its name alone; a message with `to` reaches it in a workspace.",
    });
  }
  const result = await sendAndFollow(project, { ...request, to: target.value.agent }, emit, signal);
  if (!result.ok) return result;
  const { receipt: _receipt, replies: _replies, ...rest } = result.value;
  return ok(rest);
}

/**
 * Sends a message and resolves when everything it caused in its space is settled. Several clients may do so at once: each gets the answer to
 * its own message, because a run answers no other message with it.
 */
export async function sendAndFollow(
  project: RunningProject,
  { waitLimitMs, ...request }: MessageRequest,
  emit: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Result<RequestResult, Refusal>> {
  const target = parseTarget(request.to);
  if (!target.ok) return target;
  // Whoever waits for an answer learns at once that there will be none.
  const { value: meant } = target;
  const known = meant.kind === "dm" ? await findUsableAgent(project.definitions, meant.agent) : ok(undefined);
  if (!known.ok) return known;
  const space = formatSpace(targetSpace(target.value));
  const read = <T>(work: (store: StoreReads) => Promise<T>): Promise<T> => project.store.read(work);
  const repliesElsewhere = (await read((store) => store.workspaces.status(space)))?.channel === false;
  using watch = observeRequest(project, space, emit, { repliesElsewhere, withSubSpaces: false });
  const sent = await project.system.propose(person, sendMessage, { ...request, awaitsAnswer: true });
  if (!sent.ok) return sent;

  const receipt = sent.value;
  const { id } = receipt;
  const participants = receipt.recipients.map(({ agent }) => agent);
  /** Everything that the message caused in its space counts: what its answers asked of others, too. */
  const deliveries: ReadDeliveries = async (store) => {
    const found: DeliveryRecord[] = [];
    for (const message of new Set([id, ...watch.messages])) found.push(...(await store.deliveries.ofMessage(message)));
    return found;
  };
  emit({ type: "started", space, participants, receipt });
  watch.follow({
    run: (run) =>
      read(async (store) => {
        const isOurs = (delivery: DeliveryRecord): boolean => delivery.run === run;
        return (await store.runs.byId(run))?.root === id || (await deliveries(store)).some(isOurs);
      }),
    message: ({ root, run }) => root === id || (run !== null && watch.runs.has(run)),
    waitsWith: async (run) => (await read((store) => heldBy(store, deliveries)))?.id === run,
  });
  const held = await read(async (store) => {
    const run = await heldBy(store, deliveries);
    return run === undefined ? null : waitOf(store, run);
  });
  if (held !== null) emit({ type: "waiting", ...held });
  await untilSettled(project, { space, deliveries, caughtUp: watch.caughtUp }, waitLimitMs, signal);
  await watch.caughtUp();

  return await read(async (store) => {
    const ours = await deliveries(store);
    const runs = new Set([...watch.runs, ...ours.flatMap(({ run }) => run ?? [])]);
    const spaces = repliesElsewhere ? [space, ...participants] : [space];
    const replies = await repliesTo(store, receipt, runs, spaces);
    const result = await requestResult(store, {
      space,
      participants,
      toolCalls: watch.toolCalls,
      answer: watch.answer ?? replies.at(-1),
      end: await outcomeOfRequest(store, { space, deliveries: ours, woke: ours.length > 0 }),
      used: await usageOf(store, runs),
    });
    return ok({ ...result, receipt, replies: replies.map(toMessageView) });
  });
}

/** Returns the run because of which nobody begins with one of the deliveries: its provider must not be asked yet. */
async function heldBy(store: StoreReads, deliveries: ReadDeliveries): Promise<RunRecord | undefined> {
  const waiting = (await deliveries(store)).find(({ state, run }) => state.status === "pending" && run === null);
  return waiting === undefined ? undefined : (await providerHold(store, waiting.mailbox, 0))?.run;
}

const MOST_REPLIES = 500;

/** Returns what the runs that answered a message posted, oldest first. */
async function repliesTo(
  store: StoreReads,
  { id, seq }: { readonly id: string; readonly seq: number },
  runs: ReadonlySet<string>,
  spaces: readonly string[],
): Promise<MessageRecord[]> {
  const isReply = ({ kind, sender, cause, run }: MessageRecord): boolean =>
    kind === "message" && sender !== PERSON && cause === id && run !== null && runs.has(run);
  const replies: MessageRecord[] = [];
  for (const space of spaces) {
    replies.push(...(await store.messages.page({ space, after: seq, limit: MOST_REPLIES })).filter(isReply));
  }
  return replies;
}

const MAY_SETTLE: ReadonlySet<RecordedEvent["type"]> = new Set([
  "run.ended",
  "delivery.acked",
  "delivery.dead",
  "delivery.dropped",
]);

/**
 * Resolves when the deliveries are settled and their runs have ended, when the space is idle because an agent was stopped
 * or its workspace closed, or when the request waits too long.
 */
async function untilSettled(
  project: RunningProject,
  request: {
    readonly space: string;
    readonly deliveries: ReadDeliveries;
    /** Resolves when the messages that were posted so far are known. */
    readonly caughtUp: () => Promise<void>;
  },
  waitLimitMs: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { space, deliveries, caughtUp } = request;
  const settled = Promise.withResolvers<void>();
  const check = async (): Promise<void> => {
    await caughtUp();
    if (await project.store.read(async (store) => areSettled(store, await deliveries(store)))) settled.resolve();
  };
  const checkNow = (): void => void check().catch(settled.reject);
  using _observing = project.events.observe((events) => {
    if (events.some((event) => MAY_SETTLE.has(event.type) && "space" in event && event.space === space)) checkNow();
  });
  checkNow();
  const done = new AbortController();
  const until = AbortSignal.any([signal, done.signal]);
  try {
    const idle = project.runtime.idle.untilIdle(space, until);
    const tooLong = untilWaitsTooLong(project, request, waitLimitMs, until);
    for (const each of [idle, tooLong]) each.catch(() => {});
    await Promise.race([settled.promise, idle, tooLong]);
  } finally {
    done.abort();
  }
}

async function areSettled(store: StoreReads, deliveries: readonly DeliveryRecord[]): Promise<boolean> {
  for (const { state, run: id } of deliveries) {
    if (state.status === "pending" || state.status === "leased") return false;
    const run = id === null ? undefined : await store.runs.byId(id);
    if (run !== undefined && run.state !== "ended") return false;
  }
  return true;
}

async function usageOf(store: StoreReads, runs: ReadonlySet<string>): Promise<UsageTotal> {
  let used = NOTHING_USED;
  for (const run of runs) used = addTotals(used, await store.runs.usage({ run }));
  return used;
}
