import type { Cost } from "../../domain/budget/usage.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { EngineSession, StepEvent, StepInput } from "../../ports/engine.ts";
import { readSession, writeSession } from "../cli/session-record.ts";
import { createMessageQueue } from "../sdk/message-queue.ts";
import type { AcpAgent, AcpListener } from "./acp-agent.ts";
import { enterSession, type EnterParts } from "./acp-enter.ts";
import { failureOfStop } from "./acp-failure.ts";
import { answerPermission } from "./acp-permission.ts";
import { createAcpTurn, type AcpTurn } from "./acp-turn.ts";
import { readUpdate } from "./acp-update.ts";
import { acpUsage } from "./acp-usage.ts";

export interface AcpSessionParts extends EnterParts {
  readonly clock: Clock;
}

/** For a step that goes on where the last one ended. */
const CONTINUE = "Continue.";
/** From asking the agent to stop to not waiting for it any more. */
const GRACE_MS = 2_000;
const EVENTS_AHEAD = 256;

/**
 * A run on an ACP agent. A step is a whole turn of it. The protocol knows no system prompt, so the agent's goes in front
 * of the first prompt of a session; a session is gone on with only under the prompt it began with.
 */
export async function openAcpSession(parts: AcpSessionParts, signal: AbortSignal): Promise<EngineSession> {
  const { agent, spec, clock } = parts;
  const before = readSession("acp", spec.transcript ?? (await spec.previous()), spec.system);
  const { session, isNew } = await enterSession(parts, before, signal);
  const closed = new AbortController();
  let greeted = !isNew;
  /** What the session has cost so far, which agents tell as one sum. */
  let spent: number | null = isNew ? 0 : null;

  const step = async function* (input: StepInput, stepSignal: AbortSignal): AsyncGenerator<StepEvent> {
    const either = AbortSignal.any([stepSignal, closed.signal]);
    either.throwIfAborted();
    const text = input.prompt ?? CONTINUE;
    const prompt = greeted ? text : `<instructions>\n${spec.system}\n</instructions>\n\n${text}`;
    const turn = createAcpTurn(new Set(spec.tools.list().map(({ name }) => name)));
    using events = createEventQueue();
    using _listening = agent.listen(listenerOf(parts, session, turn, events.push));

    let answered = false;
    let response: Promise<unknown> = Promise.resolve();
    const play = async (): Promise<void> => {
      const { stopReason, ...rest } = await agent.ask(
        (peer) => {
          const asked = peer.request("session/prompt", {
            sessionId: session,
            prompt: [{ type: "text", text: prompt }],
          });
          response = asked;
          return asked;
        },
        either,
        "work",
      );
      answered = true;
      const failure = failureOfStop(stopReason, agent.title);
      if (failure !== null) throw failure;
      greeted = true;
      const usage = acpUsage(rest, costSince(spent, turn.sessionCost()));
      spent = turn.sessionCost() ?? spent;
      const transcript = writeSession("acp", session, spec.system);
      await events.push({ type: "end", transcript, finished: true, text: turn.text(), waitsFor: null, usage });
    };
    play().catch(events.fail);
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
    step,
    [Symbol.asyncDispose]: async () => {
      closed.abort(new Error("The session has been closed."));
      await agent[Symbol.asyncDispose]();
    },
  };
}

/** A push waits while the consumer is far behind, and with it the agent; not when there is no consumer any more. */
function createEventQueue() {
  let isOver = false;
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
      if (isOver) return;
      queue.push(event);
      await room.promise;
    },
    fail: queue.fail,
    next: queue.next,
    [Symbol.dispose]: () => {
      isOver = true;
      room.resolve();
    },
  };
}

function listenerOf(
  { spec, log }: AcpSessionParts,
  session: string,
  turn: AcpTurn,
  push: (event: StepEvent) => Promise<void>,
): AcpListener {
  return {
    update: async (params) => {
      const told = readUpdate(params);
      if (told?.sessionId === session) for (const event of turn.update(told.update)) await push(event);
    },
    permission: (request) => {
      const call = turn.callOf(request.toolCall);
      const { outcome, refusal } = answerPermission(call, request.options, spec);
      if (refusal !== null) {
        turn.refuse(request.toolCall, refusal);
        log.info("refused a tool call", { run: spec.run, agent: spec.agent.name, reason: refusal });
      }
      return outcome;
    },
  };
}

function costSince(before: number | null, now: number | null): Cost {
  return before === null || now === null ? { basis: "unknown" } : { basis: "reported", usd: now - before };
}

/** The agent gets a moment to stop by itself and keep what it did. */
async function cancel(agent: AcpAgent, sessionId: string, response: Promise<unknown>, clock: Clock): Promise<void> {
  const over = new AbortController();
  await agent.tell((peer) => peer.notify("session/cancel", { sessionId }));
  await Promise.race([response, clock.sleep(GRACE_MS, over.signal)]).catch(() => {});
  over.abort();
}
