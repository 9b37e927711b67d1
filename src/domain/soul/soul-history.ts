import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import { applyChanges, differenceOf, NOTHING_LEARNED, type LearnedSoul } from "./learned-soul.ts";
import type { SoulChange } from "./soul-change.ts";

/**
 * The versions of a soul: what changed, when, by whose decision and why. Version 0 is the baseline alone. Versions are
 * only ever added; to go back is a version too. What is learned now may differ from the last version, when a person
 * edited the file: that edit becomes a version of its own with the next one.
 */
export interface SoulVersion {
  readonly version: number;
  /** ISO time. */
  readonly at: string;
  /** Whose decision it was: the person, or the guard by itself. */
  readonly by: string;
  readonly why: string;
  /** Ids of the messages and runs it rests on. */
  readonly evidence: readonly string[];
  /** Id of the proposal that was approved; null for an edit by hand or a step back. */
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

/** What was learned up to a version, by its own account. */
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

/** What a person changed in the file since the last version. */
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

/** The state with one version more, after one for what was edited by hand if anything was. */
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
