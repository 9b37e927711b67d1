import { createHash, randomBytes } from "node:crypto";
import { constants, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { renameIfFree, temporaryName } from "./atomic-write.ts";
import { errnoOf, fileFault } from "./file-fault.ts";
import { processIsAlive, processStart } from "./process-liveness.ts";

/**
 * A lock file: one writer at a time, across the callers of this process and across processes. The file names its owner
 * and appears atomically. A lock whose owner has ended is removed by exactly one successor: removing lock T requires the
 * lock "T.break", acquired by the same rules, so that a stale observation cannot remove a fresh lock. The lock of a
 * running process never expires.
 */
export interface LockOptions {
  /** How long to wait for another owner before throwing a Fault. */
  readonly waitMs?: number;
}

interface LockOwner {
  readonly pid: number;
  readonly start: string;
  readonly token: string;
}

const DEFAULT_WAIT_MS = 10_000;
/** A lock without a readable owner may be an unfinished write. It counts as abandoned after this time. */
const UNREADABLE_GRACE_MS = 1_000;
/** Does not follow a link, nor wait for a pipe, that was planted in place of the lock. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const queues = new Map<string, Promise<unknown>>();

/** Runs `fn` under the lock file at `path`, whose folder must exist. The lock is released also when `fn` throws. */
export async function withFileLock<T>(
  path: string,
  clock: Clock,
  fn: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const key = join(realpathSync(dirname(path)), basename(path));
  const turn = (queues.get(key) ?? Promise.resolve()).then(async () => {
    const token = await acquire(path, clock, clock.monotonic() + (options.waitMs ?? DEFAULT_WAIT_MS));
    try {
      return await fn();
    } finally {
      release(path, token);
    }
  });
  const settled = turn.catch(() => undefined);
  queues.set(key, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(key) === settled) queues.delete(key);
  }
}

async function acquire(path: string, clock: Clock, deadline: number): Promise<string> {
  const self: LockOwner = { pid: process.pid, start: processStart(process.pid), token: randomBytes(8).toString("hex") };
  let unreadableSince: number | undefined;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    if (createLock(path, self)) return self.token;
    const text = readLock(path);
    if (text === undefined) continue;
    const owner = parseOwner(text);
    if (owner === undefined) unreadableSince ??= clock.monotonic();
    else unreadableSince = undefined;
    const abandoned =
      unreadableSince === undefined
        ? owner !== undefined && !isRunning(owner)
        : clock.monotonic() - unreadableSince >= UNREADABLE_GRACE_MS;
    if (abandoned) {
      await breakLock(path, text, clock, deadline);
      continue;
    }
    if (clock.monotonic() >= deadline) throw lockedFault(path, owner);
    await clock.sleep(pause);
  }
}

/** Writes the file under another name first, so that a visible lock always contains its owner. */
function createLock(path: string, owner: LockOwner): boolean {
  const temporary = join(dirname(path), temporaryName());
  try {
    writeFileSync(temporary, JSON.stringify(owner), { flag: "wx", mode: 0o600 });
    return renameIfFree(temporary, path);
  } catch (error) {
    throw fileFault("write", basename(path), error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

async function breakLock(path: string, text: string, clock: Clock, deadline: number): Promise<void> {
  const breaker = `${path}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}.break`;
  const token = await acquire(breaker, clock, deadline);
  try {
    if (readLock(path) === text) rmSync(path, { force: true });
  } finally {
    release(breaker, token);
  }
}

function release(path: string, token: string): void {
  const text = readLock(path);
  if (text !== undefined && parseOwner(text)?.token === token) rmSync(path, { force: true });
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: "utf8", flag: READ_FLAGS });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw fileFault("read", basename(path), error);
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { pid, start, token } = value as Record<string, unknown>;
    if (typeof pid !== "number" || typeof start !== "string" || typeof token !== "string") return undefined;
    return { pid, start, token };
  } catch {
    return undefined;
  }
}

function isRunning(owner: LockOwner): boolean {
  if (!processIsAlive(owner.pid)) return false;
  const start = processStart(owner.pid);
  return start === "" || owner.start === "" || start === owner.start;
}

function lockedFault(path: string, owner: LockOwner | undefined): Fault {
  const who = owner === undefined ? "an unknown process" : `process ${owner.pid}`;
  return new Fault("file_unwritable", `${basename(path)} is held by ${who}`, {
    hint: "wait for that process to finish, or end it; if it has nothing to do with these files, delete the lock file",
  });
}
