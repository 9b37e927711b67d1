import type { Clock } from "../../kernel/clock.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";
import { checkFileName } from "../confined-path.ts";
import type { Area } from "./area.ts";
import { createFileArea } from "./file-area.ts";
import { createPersonalContext } from "./personal-context.ts";
import { findPersonalProblems } from "./personal-problems.ts";
import { createSoulFile } from "./soul.ts";

export interface PersonalFilesOptions {
  /** Trusted folder, usually the project. No link below it is followed. */
  readonly root: string;
  /** Folder of the agent, relative to the root: `.agents/alice/`. */
  readonly dir: string;
  readonly clock: Clock;
  /** Returns a unique id for a new memory entry. */
  readonly newId: () => string;
}

/** The personal context in `root/dir`. Creates no file and no folder before the first write. */
export function createPersonalFiles({
  root,
  dir,
  clock,
  newId,
}: PersonalFilesOptions): Result<PersonalContext, Refusal> {
  const checked = checkFileName(dir.replace(/^(\.\/)+/, "").replace(/\/+$/, ""), { hidden: true });
  if (!checked.ok) return checked;
  const segments = checked.value.split("/");
  const area = (...path: readonly string[]): Area => createFileArea({ root, segments: [...segments, ...path], clock });
  const soul = createSoulFile(root, segments);
  const problems = () => findPersonalProblems(root, checked.value, soul);
  return ok(createPersonalContext({ area, soul, problems, clock, newId }));
}
