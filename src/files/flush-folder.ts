import { open } from "node:fs/promises";
import { errnoOf } from "./file-fault.ts";

/** What a system says that cannot flush a folder (Windows, some mounts). */
export const CANNOT_FLUSH: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EISDIR", "EPERM"]);

/**
 * Flushes a folder, so that a new name in it survives a crash. Others go on meanwhile: on a busy disk a flush takes many
 * milliseconds, and many agents that get their first message flush at once.
 */
export async function flushFolder(folder: string): Promise<void> {
  try {
    await using file = await open(folder, "r");
    await file.sync();
  } catch (error) {
    if (!CANNOT_FLUSH.has(errnoOf(error) ?? "")) throw error;
  }
}
