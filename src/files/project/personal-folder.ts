import { lstatSync, rmdirSync, rmSync } from "node:fs";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { openFolder } from "../confined-folder.ts";
import { errnoOf, fileFault } from "../file-fault.ts";

/** What an agent keeps in its folder. */
const OWN_ENTRIES = ["memory", "notes", "conversations", "todo", "soul.yaml", "soul", ".index"];

/**
 * Removes the personal context at `path` (relative to the project). The agent's default folder goes as a whole; in a
 * folder somebody chose only what an agent keeps is removed, and the folder itself when nothing else is left in it.
 * Links are removed, never followed.
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
    using holder = parent.value;
    const stats = lstatSync(holder.at(name), { throwIfNoEntry: false });
    if (stats === undefined) return ok(undefined);
    if (options.whole || stats.isSymbolicLink()) {
      rmSync(holder.at(name), { recursive: true, force: true });
      return ok(undefined);
    }
    const opened = openFolder(projectDir, segments);
    if (!opened.ok) return opened;
    using folder = opened.value;
    for (const entry of OWN_ENTRIES) rmSync(folder.at(entry), { recursive: true, force: true });
    removeIfEmpty(holder.at(name));
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
