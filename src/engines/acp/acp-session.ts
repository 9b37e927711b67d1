import { programModel } from "../../domain/agent/model.ts";
import type { Cost } from "../../domain/budget/usage.ts";
import type { Clock } from "../../kernel/clock.ts";
import { EngineFailure, type EngineSession, type StepEvent, type StepInput } from "../../ports/engine.ts";
import { createMessageQueue } from "../shared/message-queue.ts";
import { nextTurn, stillWaiting, turnEnd } from "../shared/next-turn.ts";
import { createPermissionBroker, type PermissionBroker } from "../shared/permission-broker.ts";
import { readSession, readWaiting } from "../shared/session-record.ts";
import type { AcpAgent, AcpListener } from "./acp-agent.ts";
import { acpCall } from "./acp-call.ts";
import { failureOfStop } from "./acp-failure.ts";
import { permissionOutcome } from "./acp-permission.ts";
import { createAcpTurn, type AcpTurn } from "./acp-turn.ts";
import { readUpdate } from "./acp-update.ts";
import { acpUsage } from "./acp-usage.ts";
import { openSession, type OpenSessionParts } from "./open-session.ts";

export interface AcpSessionParts extends OpenSessionParts {
  readonly clock: Clock;
}

/** How long to wait for the agent to end a cancelled turn. */
const GRACE_MS = 2_000;
const EVENTS_AHEAD = 256;

/**
 * A run on an ACP agent. A step is a whole turn of the agent. The protocol has no system prompt, so it is put before
 * the first prompt of a session; a session is resumed only with the system prompt it began with. A call that a person
 * must approve ends the turn, and the next prompt contains the decision.
 */
export async function openAcpSession(parts: AcpSessionParts, signal: AbortSignal): Promise<EngineSession> {
  const { agent, spec, clock } = parts;
  let transcript = spec.transcript;
  const previous = readSession("acp", transcript ?? (await spec.previous()), spec.system);
  const { session, isNew } = await openSession(parts, previous, signal);
  const closed = new AbortController();
  let hasInstructions = !isNew;
  /** Cost of the session so far; agents report one sum. */
  let spent: number | null = isNew ? 0 : null;

  const step = async function* (input: StepInput, stepSignal: AbortSignal): AsyncGenerator<StepEvent> {
    const either = AbortSignal.any([stepSignal, closed.signal]);
    either.throwIfAborted();
    const next = await nextTurn(spec, input, readWaiting(transcript), hasInstructions ? session : null);
    either.throwIfAborted();
    if (next.waitsFor !== null) {
      yield stillWaiting(transcript ?? "", next.waitsFor);
      return;
    }
    const prompt = hasInstructions ? next.prompt : `<instructions>\n${spec.system}\n</instructions>\n\n${next.prompt}`;
    const { decide, pending } = createPermissionBroker(spec, input.number, next.decided);
    const turn = createAcpTurn(
      new Set([...spec.tools.list().map(({ name }) => name), ...(spec.tools.unlisted?.() ?? [])]),
    );
    const stopped = new AbortController();
    let answered = false;
    let response: Promise<unknown> = Promise.resolve();
    using events = createEventQueue();
    using _listening = agent.listen(
      createListener(parts, session, turn, {
        decide,
        push: (event) => (event.type === "tool-result" && pending() !== null ? Promise.resolve() : events.push(event)),
        stop: () => void cancel(agent, session, response, clock).then(() => stopped.abort()),
      }),
    );

    const runTurn = async (): Promise<void> => {
      const { stopReason, ...rest } = await agent
        .request(
          (peer) => {
            const sent = peer.request("session/prompt", {
              sessionId: session,
              prompt: [{ type: "text", text: prompt }],
            });
            response = sent;
            return sent;
          },
          AbortSignal.any([either, stopped.signal]),
          "work",
        )
        .catch((error: unknown) => {
          // How the agent reacts to the cancelled turn does not matter.
          if (pending() === null || either.aborted || isCrash(error)) throw error;
          return { stopReason: "cancelled" as const };
        });
      answered = true;
      const failure = pending() === null ? failureOfStop(stopReason, agent.title) : null;
      if (failure !== null) throw failure;
      hasInstructions = true;
      const usage = acpUsage(rest, costSince(spent, turn.sessionCost()));
      spent = turn.sessionCost() ?? spent;
      const end = turnEnd(
        { engine: "acp", system: spec.system },
        { text: turn.text(), session, usage },
        pending(),
        next.wholePrompt,
      );
      transcript = end.transcript;
      await events.push(stopReason === "max_tokens" ? { ...end, cut: "length" } : end);
    };
    runTurn().catch(events.fail);
    try {
      for (;;) {
        const event = await events.next();
        yield event;
        if (event.type === "end") return;
      }
    } finally {
      if (!answered) await cancel(agent, session, response, clock);
    }
  };

  return {
    model: programModel("acp", spec.agent.model),
    step,
    [Symbol.asyncDispose]: async () => {
      closed.abort(new Error("The session has been closed."));
      await agent[Symbol.asyncDispose]();
    },
  };
}

/** A push waits while the queue is full, so that the agent waits too. After disposal it does nothing. */
function createEventQueue() {
  let isClosed = false;
  let room = Promise.withResolvers<void>();
  room.resolve();
  const queue = createMessageQueue<StepEvent>({
    highWater: EVENTS_AHEAD,
    onFull: () => {
      room = Promise.withResolvers<void>();
    },
    onDrained: () => room.resolve(),
  });
  return {
    push: async (event: StepEvent): Promise<void> => {
      if (isClosed) return;
      queue.push(event);
      await room.promise;
    },
    fail: queue.fail,
    next: queue.next,
    [Symbol.dispose]: () => {
      isClosed = true;
      room.resolve();
    },
  };
}

interface TurnHandlers {
  readonly decide: PermissionBroker["decide"];
  readonly push: (event: StepEvent) => Promise<void>;
  /** A person must approve a call: the turn is over. */
  readonly stop: () => void;
}

function createListener(
  { spec, log }: AcpSessionParts,
  session: string,
  turn: AcpTurn,
  { decide, push, stop }: TurnHandlers,
): AcpListener {
  return {
    update: async (params) => {
      const notification = readUpdate(params);
      if (notification?.sessionId === session) for (const event of turn.update(notification.update)) await push(event);
    },
    permission: async ({ toolCall, options }) => {
      const call = acpCall(turn.callOf(toolCall));
      const decision = call === null ? ({ kind: "allow" } as const) : await decide(call);
      if (decision.kind === "wait") stop();
      if (decision.kind === "refuse") {
        turn.refuse(toolCall, decision.reason);
        log.info("refused a tool call", { run: spec.run, agent: spec.agent.name, reason: decision.reason });
      }
      return permissionOutcome(decision, options);
    },
  };
}

function isCrash(error: unknown): boolean {
  return error instanceof EngineFailure && error.class === "crash";
}

function costSince(before: number | null, now: number | null): Cost {
  return before === null || now === null ? { basis: "unknown" } : { basis: "reported", usd: now - before };
}

/** Cancels the turn. Waits a moment, so that the agent can end the turn and save its session. */
async function cancel(agent: AcpAgent, sessionId: string, response: Promise<unknown>, clock: Clock): Promise<void> {
  const timer = new AbortController();
  await agent.notify((peer) => peer.notify("session/cancel", { sessionId }));
  await Promise.race([response, clock.sleep(GRACE_MS, timer.signal)]).catch(() => {});
  timer.abort();
}
