import type { Discovery } from "../contract/service/discovery.ts";

/**
 * Reads `daemon.json` with suspicion. What is found is only a claim: who answers at that address must still prove that
 * it knows the token (see `connection.ts`). A file that others could have written, or read, is not even a claim.
 */
export type Registration =
  | { readonly state: "absent" }
  | { readonly state: "unusable"; readonly reason: string }
  | { readonly state: "claimed"; readonly daemon: Discovery };

/** The same as in `contract/service/discovery.ts`, which a short command does not load. */
const FILE_NAME = "daemon.json";
const LARGEST = 64 * 1024;

export function readDiscovery(home: string): Registration {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = process.getBuiltinModule("node:fs");
  const { join } = process.getBuiltinModule("node:path");
  let file: number;
  try {
    // Neither follows a link nor waits for a pipe somebody planted there.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    file = openSync(join(home, FILE_NAME), flags);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent" };
    return unusable(code === "ELOOP" ? "is a symbolic link" : `cannot be read (${code})`);
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return unusable("is not a plain file");
    const user = process.getuid?.();
    if (user !== undefined && stats.uid !== user) return unusable("belongs to another user");
    if (user !== undefined && (stats.mode & 0o777) !== 0o600) {
      return unusable(`has mode 0${(stats.mode & 0o777).toString(8)} and not 0600`);
    }
    if (stats.size > LARGEST) return unusable("is far too large");
    return parse(readFileSync(file, "utf8"));
  } finally {
    closeSync(file);
  }
}

function parse(text: string): Registration {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unusable("is cut off or damaged");
  }
  return isDiscovery(value) ? { state: "claimed", daemon: value } : unusable("does not describe a daemon");
}

function isDiscovery(value: unknown): value is Discovery {
  if (typeof value !== "object" || value === null) return false;
  const { pid, host, port, token, instance, startedAt, version } = value as Record<string, unknown>;
  return (
    isIntegerUpTo(pid, Number.MAX_SAFE_INTEGER) &&
    isIntegerUpTo(port, 65_535) &&
    [host, instance, startedAt, version].every((text) => typeof text === "string" && /^[ -~]+$/.test(text)) &&
    typeof token === "string" &&
    /^[\w-]{32,}$/.test(token)
  );
}

function isIntegerUpTo(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}

function unusable(reason: string): Registration {
  return { state: "unusable", reason: `${FILE_NAME} ${reason}` };
}
