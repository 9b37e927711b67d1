import { posix } from "node:path";
import { refuse } from "../kernel/refusal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import type { Result } from "../kernel/result.ts";
import { checkFileName } from "./confined-path.ts";
import { quoted } from "./yaml/excerpt.ts";

/**
 * Returns a path from a definition as a path relative to the project, without `./`, `..` or a slash at the end. `from` is
 * the folder that `written` is relative to. Refuses the project itself ("."). Checks the text only: the caller that opens
 * the file checks for links.
 */
export function projectPath(written: string, from = "."): Result<string, Refusal> {
  const outside = refuse("invalid", `${quoted(written)} is not inside the project.`, {
    hint: "Use a path relative to the project, without .. and without links.",
  });
  if (posix.isAbsolute(written) || /^[a-zA-Z]:|^~|\\/u.test(written)) return outside;
  const path = posix.normalize(posix.join(from, written)).replace(/\/$/u, "");
  if (path === "." || path === ".." || path.startsWith("../")) return outside;
  const checked = checkFileName(path, { hidden: true });
  if (checked.ok) return ok(path);
  return refuse("invalid", `${quoted(written)} cannot be a path here.`, { hint: checked.error.message });
}
