/** The kinds of old data, in the order in which they are removed. What one removes can make the next ones removable. */
export const PRUNE_STAGES = ["dead-letters", "transcripts", "events", "workspaces", "keys"] as const;
export type PruneStage = (typeof PRUNE_STAGES)[number];

/** How far removing has come: a stage, and where in it. */
export interface PrunePosition {
  readonly stage: PruneStage;
  /** Meaningful within the stage; empty at its beginning. */
  readonly at: readonly (string | number)[];
}

export const FIRST_POSITION: PrunePosition = { stage: PRUNE_STAGES[0], at: [] };

/** Returns the beginning of the stage after this one; null after the last. */
export function nextStage(stage: PruneStage): PrunePosition | null {
  const next = PRUNE_STAGES[PRUNE_STAGES.indexOf(stage) + 1];
  return next === undefined ? null : { stage: next, at: [] };
}

export function formatPosition({ stage, at }: PrunePosition): string {
  return JSON.stringify([stage, ...at]);
}

/** Returns undefined for a text that `formatPosition` did not write. */
export function parsePosition(text: string): PrunePosition | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (!Array.isArray(read)) return undefined;
    const [stage, ...at] = read as unknown[];
    const known = PRUNE_STAGES.find((each) => each === stage);
    if (known === undefined || !at.every(isPart)) return undefined;
    return { stage: known, at };
  } catch {
    return undefined;
  }
}

function isPart(part: unknown): part is string | number {
  return typeof part === "string" || Number.isFinite(part);
}
