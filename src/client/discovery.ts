import type { Discovery } from "../contract/service/discovery.ts";

/**
 * The content of `daemon.json`. It is only a claim: the program at that address must still prove that it knows the token
 * (see `transport/handshake.ts`). A file that other users could have written or read is unusable.
 */
export type Registration =
  | { readonly state: "absent" }
  | { readonly state: "unusable"; readonly reason: string }
  | { readonly state: "claimed"; readonly daemon: Discovery };

/** As in `contract/service/discovery.ts`, which a short command does not load. */
const FILE_NAME = "daemon.json";
const MAX_BYTES = 64 * 1024;

export function readDiscovery(home: string): Registration {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = process.getBuiltinModule("node:fs");
  const { join } = process.getBuiltinModule("node:path");
  let file: number;
  try {
    // Does not follow a link and does not wait for a pipe that another user put there.
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
    if (stats.size > MAX_BYTES) return unusable("is far too large");
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

function isIntegerUpTo(value: unknown, max: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max;
}

function unusable(reason: string): Registration {
  return { state: "unusable", reason: `${FILE_NAME} ${reason}` };
}
