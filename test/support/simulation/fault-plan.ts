import { type CausalLimits, DEFAULT_LIMITS } from "../../../src/domain/causal/budget.ts";
import type { Random } from "../../../src/kernel/random.ts";

/** How rough the world of one seed is. Each seed draws its own, so that calm and stormy histories are both seen. */
export interface FaultPlan {
  readonly placement: "memory" | "file";
  readonly limits: CausalLimits;
  /** Chance that a group of calls is the last thing a process does. */
  readonly crash: number;
  readonly lostWake: number;
  /** Chance that a mailbox is looked at though nobody woke it. */
  readonly spuriousWake: number;
  /** Chance that an execution ends in a failure. */
  readonly failure: number;
  /** How likely agents are to call each other, and to do it in a few words. */
  readonly talkative: number;
  readonly terse: boolean;
  readonly ballots: boolean;
  /** `steady`: time passes. `leaps`: it also leaps an hour ahead. `jumps`: it also jumps an hour back. */
  readonly clock: "steady" | "leaps" | "jumps";
  /** Pending deliveries above which the person waits. */
  readonly backlog: number;
}

export function drawFaultPlan(random: Random, placement: FaultPlan["placement"]): FaultPlan {
  const one = <T>(options: readonly [T, ...T[]]): T => options[Math.floor(random() * options.length)] ?? options[0];
  return {
    placement,
    limits: one([DEFAULT_LIMITS, { hops: 6, turns: 10, tokens: 1000 }, { hops: 40, turns: 5, tokens: 1000 }]),
    crash: one([0.0005, 0.002, 0.002, 0.01, 0.1]),
    lostWake: one([0, 0.05, 0.5]),
    spuriousWake: one([0.002, 0.03]),
    failure: one([0.02, 0.1, 0.4]),
    talkative: one([0.2, 0.4, 0.8]),
    terse: one([false, false, true]),
    ballots: one([false, true]),
    clock: one(["steady", "leaps", "jumps"]),
    backlog: one([4, 8, 30]),
  };
}
