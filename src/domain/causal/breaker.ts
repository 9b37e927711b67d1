import { PERSON, SYSTEM } from "../message/message.ts";
import { type CausalLimits, DEFAULT_LIMITS } from "./budget.ts";

/**
 * Notices agents that only keep each other awake ("thanks!", "you're welcome!") long before the budget is used up. It
 * looks at the last messages of one causal tree and fires when all of this holds for twelve in a row: at most three
 * agents wrote them, no one twice running, and each says next to nothing once mentions are taken out. Whoever raised the
 * hop limit asked for long exchanges and gets them: then the budget alone decides.
 */
export const LOOP_WINDOW = 12;
const LOOP_SENDERS = 3;
const NEAR_EMPTY_CHARS = 40;

export interface Spoken {
  readonly sender: string;
  readonly body: string;
}

/** `recent` is oldest first; only its last `LOOP_WINDOW` messages count. Answers the reason, for the channel, or null. */
export function detectLoop(recent: readonly Spoken[], limits: CausalLimits = DEFAULT_LIMITS): string | null {
  if (limits.hops > DEFAULT_LIMITS.hops || recent.length < LOOP_WINDOW) return null;
  const window = recent.slice(-LOOP_WINDOW);
  const senders = [...new Set(window.map(({ sender }) => sender))];
  const taking = window.every(({ sender }, index) => sender !== window[index - 1]?.sender);
  const amongAgents = !senders.includes(PERSON) && !senders.includes(SYSTEM);
  if (!amongAgents || senders.length > LOOP_SENDERS || !taking || !window.every(isNearEmpty)) return null;
  return (
    `${list(senders)} have exchanged ${LOOP_WINDOW} near-empty messages in a row. ` +
    "The exchange is stopped; it goes on when a person writes."
  );
}

function isNearEmpty({ body }: Spoken): boolean {
  const said = body
    .replace(/@[a-zA-Z][a-zA-Z0-9_-]*/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return said.length <= NEAR_EMPTY_CHARS;
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
