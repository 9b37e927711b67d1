import { refuse, type Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { formatDuration, parseDuration } from "../schedule/duration.ts";

/** After this long without a beat a node counts as gone, unless it was started with another lease. */
export const DEFAULT_LEASE_MS = 10_000;
/** The server ends a transaction that hangs after five seconds: until then all other nodes wait for it, too. */
const SHORTEST_MS = 6_000;
const LONGEST_MS = 600_000;
const BEATS_IN_A_LEASE = 4;
/** However long the lease: with each beat a node also heeds what the others wrote, and looks who is there. */
const LONGEST_BEAT_MS = 5_000;

/** Returns the milliseconds of a lease that a person wrote. */
export function parseLease(text: string): Result<number, Refusal> {
  const lease = parseDuration(text);
  if (!lease.ok || (lease.value >= SHORTEST_MS && lease.value <= LONGEST_MS)) return lease;
  const limits = `${formatDuration(SHORTEST_MS)} to ${formatDuration(LONGEST_MS)}`;
  return refuse("invalid", `The lease of a node is ${limits}, and not ${formatDuration(lease.value)}.`, {
    hint: "Shorter, others take over sooner from a node that died, and wrongly from one that was only busy.",
  });
}

/** A node says so often that it is there. */
export function beatInterval(leaseMs: number): number {
  return Math.min(LONGEST_BEAT_MS, Math.floor(leaseMs / BEATS_IN_A_LEASE));
}
