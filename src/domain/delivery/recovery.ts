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

/** Decides for each run that was open. `recoveries` are the deaths before this one, without a finished step since. */
export function decideRecovery<Run extends OpenRun>(
  open: readonly Run[],
  nowMs: number,
): { readonly run: Run; readonly decision: RecoveryDecision }[] {
  const suspects = open.filter(isSuspect);
  const decide = (run: Run): RecoveryDecision => {
    if (!isSuspect(run)) return { action: "resume", deaths: run.recoveries + 1, notBefore: null };
    const deaths = suspects.length === 1 ? run.recoveries + 1 : run.recoveries;
    if (deaths > MAX_DEATHS) return { action: "give-up", deaths };
    const wait = Math.min(WAIT_CAP_MS, WAIT_BASE_MS * 2 ** (run.recoveries - DEATHS_WITHOUT_SUSPICION));
    return { action: "resume", deaths, notBefore: nowMs + wait * (suspects.indexOf(run) + 1) };
  };
  return open.map((run) => ({ run, decision: decide(run) }));
}

interface OpenRun {
  readonly recoveries: number;
}

function isSuspect({ recoveries }: OpenRun): boolean {
  return recoveries >= DEATHS_WITHOUT_SUSPICION;
}
