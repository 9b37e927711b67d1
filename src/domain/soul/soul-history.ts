import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { applyChanges, differenceOf, NOTHING_LEARNED, type LearnedSoul } from "./learned-soul.ts";
import type { SoulChange } from "./soul-change.ts";

/**
 * A version of a soul: what changed, when, by whose decision and why. Version 0 is the baseline alone. Versions are only
 * added; a rollback is a version too. If a person edited the file, what is learned differs from the last version: that
 * edit becomes a version of its own before the next one.
 */
export interface SoulVersion {
  readonly version: number;
  /** ISO time. */
  readonly at: string;
  /** Who decided it: the person, or the guard. */
  readonly by: string;
  readonly why: string;
  /** Ids of messages and runs. */
  readonly evidence: readonly string[];
  /** Id of the approved proposal; null for an edit by hand or a rollback. */
  readonly proposal: string | null;
  readonly changes: readonly SoulChange[];
}

export interface SoulState {
  readonly learned: LearnedSoul;
  /** Oldest first. */
  readonly versions: readonly SoulVersion[];
}

export const NO_STATE: SoulState = { learned: NOTHING_LEARNED, versions: [] };

export function lastVersion({ versions }: SoulState): number {
  return versions.at(-1)?.version ?? 0;
}

/** Returns what was learned up to a version. */
export function learnedAt(versions: readonly SoulVersion[], version: number): Result<LearnedSoul, Refusal> {
  const last = versions.at(-1)?.version ?? 0;
  if (version !== 0 && !versions.some((each) => each.version === version)) {
    return refuse("not_found", `There is no version ${version}.`, {
      hint: last === 0 ? "There is only version 0, the baseline." : `Versions go from 0, the baseline, to ${last}.`,
    });
  }
  const upTo = versions.filter((each) => each.version <= version);
  return ok(
    applyChanges(
      NOTHING_LEARNED,
      upTo.flatMap(({ changes }) => changes),
    ),
  );
}

/** Returns what a person changed in the file since the last version. */
export function editsByHand({ learned, versions }: SoulState): readonly SoulChange[] {
  return differenceOf(
    applyChanges(
      NOTHING_LEARNED,
      versions.flatMap(({ changes }) => changes),
    ),
    learned,
  );
}

export type NewVersion = Omit<SoulVersion, "version" | "changes">;

/** Returns the state with a new version, preceded by one for edits by hand, if there are any. */
export function withVersion(state: SoulState, changes: readonly SoulChange[], about: NewVersion): SoulState {
  const edits = editsByHand(state);
  const byHand: SoulVersion[] =
    edits.length === 0
      ? []
      : [
          {
            version: lastVersion(state) + 1,
            at: about.at,
            by: "user",
            why: "Edited by hand.",
            evidence: [],
            proposal: null,
            changes: edits,
          },
        ];
  const next = lastVersion(state) + byHand.length + 1;
  return {
    learned: applyChanges(state.learned, changes),
    versions: [...state.versions, ...byHand, { version: next, ...about, changes }],
  };
}
