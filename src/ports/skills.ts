import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * Skills: folders with a `SKILL.md` that says how something is done, in the place several tools share
 * (`.agents/skills/<name>/` of the project, then of the home folder). An agent is told that they exist and reads one
 * when it needs it. Everything in a skill is text for the agent; the product runs nothing of it.
 */
export interface Skills {
  /** By name. A skill of the project hides one of the same name in the home folder. What cannot be read is left out. */
  list(): Promise<readonly Skill[]>;
  /**
   * A file of a skill; `SKILL.md` when none is named. Never reaches outside the skill's folder. Refuses `not_found` with
   * the names that exist, `too_large`, and what is not a regular text file.
   */
  read(name: string, file?: string): Promise<Result<SkillText, Refusal>>;
}

export interface Skill {
  /** Name of its folder. */
  readonly name: string;
  /** One line, from the front matter of `SKILL.md`. */
  readonly description: string;
  readonly scope: "project" | "user";
  /** Where it was imported from, with the commit if there is one; null for one that was made here. */
  readonly source: string | null;
}

export interface SkillText {
  readonly content: string;
  /** The other files of the skill, relative to its folder. */
  readonly files: readonly string[];
}
