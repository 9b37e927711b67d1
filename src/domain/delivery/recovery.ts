/**
 * Decides what happens to the runs that were open when a daemon died. The daemon may have been killed from outside, or
 * one of its runs may take it down each time. So a run resumes at once after its first deaths. From then on it is a
 * suspect: it waits longer after each death, so that the other runs finish their steps meanwhile, and suspects wait for
 * different times, so that they are tried one by one. A suspect is given up only after a death of which no other suspect
 * was part.
 */
const DEATHS_WITHOUT_SUSPICION = 2;
const MAX_DEATHS = 10;
const WAIT_BASE_MS = 1_000;
const WAIT_CAP_MS = 60_000;

export type RecoveryDecision =
  /** `deaths` counts the present one, unless another suspect may have caused it. */
  | { readonly action: "resume"; readonly deaths: number; readonly notBefore: number | null }
  | { readonly action: "give-up"; readonly deaths: number };

/** One decision for each run that was open, in the same order. `deaths` are those without a finished step since. */
export function decideRecovery(open: readonly { readonly deaths: number }[], nowMs: number): RecoveryDecision[] {
  const suspects = open.filter(isSuspect);
  return open.map((run) => {
    if (!isSuspect(run)) return { action: "resume", deaths: run.deaths + 1, notBefore: null };
    const deaths = suspects.length === 1 ? run.deaths + 1 : run.deaths;
    if (deaths > MAX_DEATHS) return { action: "give-up", deaths };
    const wait = Math.min(WAIT_CAP_MS, WAIT_BASE_MS * 2 ** (run.deaths - DEATHS_WITHOUT_SUSPICION));
    return { action: "resume", deaths, notBefore: nowMs + wait * (suspects.indexOf(run) + 1) };
  });
}

function isSuspect({ deaths }: { readonly deaths: number }): boolean {
  return deaths >= DEATHS_WITHOUT_SUSPICION;
}
