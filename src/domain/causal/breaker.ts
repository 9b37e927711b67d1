import { PERSON, SYSTEM } from "../message/message.ts";
import { type CausalLimits, DEFAULT_LIMITS } from "./budget.ts";

/**
 * Detects agents that only keep each other busy ("thanks!", "you're welcome!") before the budget is used up: the last
 * twelve messages of a causal tree are from at most three agents, no agent wrote two in a row, and each message is nearly
 * empty without its mentions. Off when the hop limit was raised: then long exchanges are intended, and only the budget
 * applies.
 */
export const LOOP_WINDOW = 12;
const LOOP_SENDERS = 3;
const NEAR_EMPTY_CHARS = 40;

export interface ChainMessage {
  readonly sender: string;
  readonly body: string;
}

/** `recent` is oldest first; only the last `LOOP_WINDOW` messages count. Returns the reason, for the channel, or null. */
export function detectLoop(recent: readonly ChainMessage[], limits: CausalLimits = DEFAULT_LIMITS): string | null {
  if (limits.hops > DEFAULT_LIMITS.hops || recent.length < LOOP_WINDOW) return null;
  const window = recent.slice(-LOOP_WINDOW);
  const senders = [...new Set(window.map(({ sender }) => sender))];
  const alternating = window.every(({ sender }, index) => sender !== window[index - 1]?.sender);
  const amongAgents = !senders.includes(PERSON) && !senders.includes(SYSTEM);
  if (!amongAgents || senders.length > LOOP_SENDERS || !alternating || !window.every(isNearEmpty)) return null;
  return (
    `${list(senders)} have exchanged ${LOOP_WINDOW} near-empty messages in a row. ` +
    "The exchange is stopped; it goes on when a person writes."
  );
}

/** Whether a message can be part of a loop. One that cannot ends the search for the messages before it. */
export function mayLoop(message: ChainMessage, limits: CausalLimits): boolean {
  return limits.hops <= DEFAULT_LIMITS.hops && isNearEmpty(message);
}

function isNearEmpty({ body }: ChainMessage): boolean {
  const text = body
    .replace(/@[a-zA-Z][a-zA-Z0-9_-]*/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return text.length <= NEAR_EMPTY_CHARS;
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
