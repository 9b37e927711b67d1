import { it } from "vitest";

/**
 * One attack on the installed command or a real daemon, named by what the attacker tries. `held` repeats it and passes
 * when it came to nothing. `scripts/attack-count.ts` counts them at the end of the tests.
 */
export function attack(tries: string, held: () => Promise<void> | void, timeoutMs?: number): void {
  // oxlint-disable-next-line vitest/expect-expect -- `held` expects.
  it(`attack: ${tries}`, held, timeoutMs);
}
