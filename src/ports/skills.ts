import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * Skills: folders with a `SKILL.md` that explains how something is done, in the place several tools share
 * (`.agents/skills/<name>/`, then `.claude/skills/<name>/`, of the project, then of the home folder). The prompt lists
 * them, and an agent reads one when it needs it. A skill is only text for the agent; agent-worker executes nothing of it.
 */
export interface Skills {
  /**
   * Sorted by name. A skill hides those of the same name in later folders. Unreadable ones are left out.
   */
  list(): Promise<readonly Skill[]>;
  /**
   * Returns a file of a skill; `SKILL.md` when none is named. Never reads outside the skill's folder. Refuses
   * `not_found` with the names that exist, `too_large`, and what is not a regular text file.
   */
  read(name: string, file?: string): Promise<Result<SkillText, Refusal>>;
}

export interface Skill {
  /** Name of its folder. */
  readonly name: string;
  /** One line, from the front matter of `SKILL.md`. */
  readonly description: string;
  readonly scope: "project" | "user";
  /** Where it was imported from, with the commit if there is one; null for one that was not imported. */
  readonly source: string | null;
}

export interface SkillText {
  readonly content: string;
  /** The other files of the skill, relative to its folder. */
  readonly files: readonly string[];
}
