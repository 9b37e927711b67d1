import { createHash, randomBytes } from "node:crypto";
import { constants, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { renameIfFree, temporaryName } from "./atomic-write.ts";
import { errnoOf, fileFault } from "./file-fault.ts";
import { processIsAlive, processStart } from "./process-liveness.ts";

/**
 * One writer at a time, among the callers of this process and among processes, for reading a file and writing it back.
 * The lock is a file that names its holder and appears complete or not at all. A lock whose holder is gone is removed
 * by exactly one successor: removing lock T needs the lock "T.break", taken by these same rules, so that nobody can
 * remove a fresh lock on the strength of an old look. Time alone never breaks the lock of a living process.
 */
export interface LockOptions {
  /** How long to wait for another holder before giving up with a Fault. */
  readonly waitMs?: number;
}

interface Holder {
  readonly pid: number;
  readonly start: string;
  readonly token: string;
}

const DEFAULT_WAIT_MS = 10_000;
/** A lock nobody can read names no holder; it is given this long to be somebody's unfinished write. */
const UNREADABLE_GRACE_MS = 1_000;
/** Neither follows a link nor waits for a pipe somebody planted in the lock's place. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const queues = new Map<string, Promise<unknown>>();

/** Runs `fn` while holding the lock file at `path`; its folder must exist. Always released, also when `fn` throws. */
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
  const mine: Holder = { pid: process.pid, start: processStart(process.pid), token: randomBytes(8).toString("hex") };
  let unreadableSince: number | undefined;
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    if (createLock(path, mine)) return mine.token;
    const text = readLock(path);
    if (text === undefined) continue;
    const holder = parseHolder(text);
    if (holder === undefined) unreadableSince ??= clock.monotonic();
    else unreadableSince = undefined;
    const abandoned =
      unreadableSince === undefined
        ? holder !== undefined && !isHeld(holder)
        : clock.monotonic() - unreadableSince >= UNREADABLE_GRACE_MS;
    if (abandoned) {
      await breakLock(path, text, clock, deadline);
      continue;
    }
    if (clock.monotonic() >= deadline) throw lockedFault(path, holder);
    await clock.sleep(pause);
  }
}

/** The file is written under another name first: a lock that can be seen has its holder in it. */
function createLock(path: string, holder: Holder): boolean {
  const temporary = join(dirname(path), temporaryName());
  try {
    writeFileSync(temporary, JSON.stringify(holder), { flag: "wx", mode: 0o600 });
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
  if (text !== undefined && parseHolder(text)?.token === token) rmSync(path, { force: true });
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, { encoding: "utf8", flag: READ_FLAGS });
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw fileFault("read", basename(path), error);
  }
}

function parseHolder(text: string): Holder | undefined {
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

function isHeld(holder: Holder): boolean {
  if (!processIsAlive(holder.pid)) return false;
  const start = processStart(holder.pid);
  return start === "" || holder.start === "" || start === holder.start;
}

function lockedFault(path: string, holder: Holder | undefined): Fault {
  const who = holder === undefined ? "an unknown process" : `process ${holder.pid}`;
  return new Fault("file_unwritable", `${basename(path)} is held by ${who}`, {
    hint: "wait for that process to finish, or end it; if it has nothing to do with these files, delete the lock file",
  });
}
