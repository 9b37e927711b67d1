import { lstatSync, rmdirSync, rmSync } from "node:fs";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { openFolder } from "../confined-folder.ts";
import { errnoOf, fileFault } from "../file-fault.ts";

export { contextFolderOf } from "../../domain/agent/private-paths.ts";

/** The files and folders of a personal context. */
export const PERSONAL_ENTRIES = ["memory", "notes", "conversations", "todo", "soul.yaml", "soul", ".index"];

/**
 * Removes the personal context at `path` (relative to the project). With `whole`, removes the folder itself. Otherwise
 * the folder was chosen by a person: only the agent's files are removed, and the folder if it is then empty. Links are
 * removed, never followed.
 */
export function removePersonalFolder(
  projectDir: string,
  path: string,
  options: { readonly whole: boolean },
): Result<void, Refusal> {
  const segments = path.split("/");
  const name = segments.at(-1) ?? "";
  try {
    const parent = openFolder(projectDir, segments.slice(0, -1));
    if (!parent.ok) return parent.error.code === "not_found" ? ok(undefined) : parent;
    using parentFolder = parent.value;
    const stats = lstatSync(parentFolder.at(name), { throwIfNoEntry: false });
    if (stats === undefined) return ok(undefined);
    if (options.whole || stats.isSymbolicLink()) {
      rmSync(parentFolder.at(name), { recursive: true, force: true });
      return ok(undefined);
    }
    const opened = openFolder(projectDir, segments);
    if (!opened.ok) return opened;
    using folder = opened.value;
    for (const entry of PERSONAL_ENTRIES) rmSync(folder.at(entry), { recursive: true, force: true });
    removeIfEmpty(parentFolder.at(name));
    return ok(undefined);
  } catch (error) {
    throw fileFault("write", path, error);
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOTEMPTY" && errnoOf(error) !== "EEXIST") throw error;
  }
}
