import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

export type IdPrefix =
  | "msg"
  | "dlv"
  | "run"
  | "bal"
  | "sch"
  | "sug"
  | "evt"
  | "res"
  | "own"
  | "mem"
  | "fil"
  | "apr"
  | "fbk"
  | "ask"
  | "sol"
  | "rul"
  | "chg";

/**
 * Returns a new id: a prefix that says what it names, and 26 characters that sort by creation (10 of time, 16 of
 * randomness). The ids of one factory strictly increase, even when the clock stands still or jumps back. The order of
 * messages is their sequence number, not their id.
 */
export type Ids = (prefix: IdPrefix) => string;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LOW_SPAN = 0x400_0000_0000; // 42 bits, counted up within one millisecond

export function createIds(clock: Pick<Clock, "now">, random: Random): Ids {
  let time = -1;
  let timeText = "";
  let high = "";
  let low = 0;

  const startMillisecond = (now: number): void => {
    time = now;
    timeText = encode(now, 10);
    high = encode(Math.floor(random() * 0x1_0000_0000) + Math.floor(random() * 0x40) * 0x1_0000_0000, 8).slice(1);
    low = Math.floor(random() * (LOW_SPAN / 2));
  };

  return (prefix) => {
    const now = clock.now();
    if (now > time) startMillisecond(now);
    else if (low >= LOW_SPAN - 1) startMillisecond(time + 1);
    else low += 1;
    return `${prefix}_${timeText}${high}${encode(low, 9)}`;
  };
}

function encode(value: number, width: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < width; i += 1) {
    text = (ALPHABET[rest % 32] as string) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
