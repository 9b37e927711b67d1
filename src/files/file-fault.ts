import { Fault } from "../kernel/fault.ts";

/** Returns the errno name of a file system error ("ENOENT"), or undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Converts a file system error to a Fault. `label` names the file for people; the original message stays in `cause`,
 * because it may contain an internal path. An error without an errno is a bug and is returned unchanged.
 */
export function fileFault(action: "read" | "write", label: string, error: unknown): unknown {
  const errno = errnoOf(error);
  if (error instanceof Fault || errno === undefined) return error;
  if (errno === "ENOSPC" || errno === "EDQUOT") {
    return new Fault("disk_full", `no space left to ${action} ${label}`, {
      cause: error,
      hint: "free some space and try again; what was there before is unchanged",
    });
  }
  if (errno === "EIO") return new Fault("disk_failed", `the disk failed to ${action} ${label}`, { cause: error });
  return new Fault(action === "read" ? "file_unreadable" : "file_unwritable", `cannot ${action} ${label} (${errno})`, {
    cause: error,
    hint: "check that the file and its folder belong to you and are writable",
  });
}
