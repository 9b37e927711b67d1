import { existsSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { errnoOf } from "../files/file-fault.ts";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Log } from "../kernel/log.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { KnownProjects } from "./known-projects.ts";
import type { DaemonProject } from "./running-project.ts";

/** The projects of a daemon: opened on first use, identified by their real path, closed together. */
export interface OpenProjects extends AsyncDisposable {
  /**
   * Concurrent calls share one opening. Throws when the project cannot be opened: the next call tries again, and so does
   * the daemon by itself, at growing intervals.
   */
  get(path: string | undefined): Promise<Result<DaemonProject, Refusal>>;
  open(): readonly DaemonProject[];
  /** Closes a project and opens it again. */
  reopen(dir: string): void;
  /**
   * The consent to a project changed. It is opened again only to go to work or to rest: closing it breaks off its runs and
   * ends everything that is only in memory.
   */
  followConsent(dir: string): void;
  /** Projects whose last opening failed, and why. */
  failed(): ReadonlyMap<string, string>;
}

export interface OpenProjectsParts {
  /** The project of requests that name none. */
  readonly first: string | undefined;
  readonly openProject: (dir: string) => Promise<DaemonProject>;
  readonly known: KnownProjects;
  /** Returns the id of the store in a file; null or undefined when there is none. */
  readonly storeIdOf: (file: string) => string | null | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export function createOpenProjects(parts: OpenProjectsParts): OpenProjects {
  const { first, openProject, known, clock, log } = parts;
  const projects = new Map<string, DaemonProject>();
  const opening = new Map<string, Promise<DaemonProject>>();
  const failed = new Map<string, string>();
  const reopening = new Map<string, Promise<void>>();
  /** Projects that the daemon tries to open by itself. */
  const retrying = new Set<string>();
  const stopped = new AbortController();
  let closing: Promise<void> | undefined;

  const open = async (dir: string): Promise<DaemonProject> => {
    try {
      await closeMoved(dir);
      const project = await openProject(dir);
      projects.set(dir, project);
      failed.delete(dir);
      if (!project.atRest) known.remember(dir);
      return project;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (failed.get(dir) !== reason) log.error("a project could not be opened", { project: dir, error });
      failed.set(dir, reason);
      if (error instanceof Fault) void retry(dir);
      throw error;
    } finally {
      opening.delete(dir);
    }
  };

  /**
   * A project that was moved while it was open is open already, at its old path, where its store is missing and is locked
   * by this very daemon. It is closed there before it is opened here, also when it rests here.
   */
  const closeMoved = async (dir: string): Promise<void> => {
    const moved = [...projects.values()].find(({ dir: before, store, storeFile }) => {
      const file = join(dir, relative(before, storeFile));
      return store.findAbsence() !== undefined && parts.storeIdOf(file) === store.id;
    });
    if (moved === undefined) return;
    log.info("a project was moved", { from: moved.dir, to: dir });
    projects.delete(moved.dir);
    known.forget(moved.dir);
    await moved[Symbol.asyncDispose]();
  };

  /** Until it is open, or its folder is gone. A request in between tries as well. */
  const retry = async (dir: string): Promise<void> => {
    if (retrying.has(dir)) return;
    retrying.add(dir);
    try {
      for (let attempt = 0; failed.has(dir); attempt += 1) {
        await clock.sleep(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt), stopped.signal);
        const opened = failed.has(dir) ? await get(dir).catch(() => undefined) : undefined;
        if (opened?.ok === false) failed.delete(dir);
        if (opened?.ok === true) log.info("a project could be opened again", { project: dir });
      }
    } catch {
      // The daemon stops.
    } finally {
      retrying.delete(dir);
    }
  };

  const close = async (project: DaemonProject): Promise<void> => {
    try {
      if (!project.storeMissing && !(await hasWorkLeft(project))) known.forget(project.dir);
    } catch (error) {
      log.warn("it is not certain whether a project has work left", { project: project.dir, error });
    }
    await project[Symbol.asyncDispose]();
  };

  const reopen = (dir: string): void => {
    const project = projects.get(dir);
    if (project === undefined || closing !== undefined) return;
    projects.delete(dir);
    const closed = close(project).finally(() => reopening.delete(dir));
    reopening.set(dir, closed);
    // It goes to work, or to rest, without waiting for a request. `open` logs why it cannot.
    closed.then(() => get(dir)).catch((error: unknown) => log.warn("could not open again", { project: dir, error }));
  };

  const followConsent = (dir: string): void => {
    const project = projects.get(dir);
    if (project !== undefined && project.atRest === project.trust.mayAct()) reopen(dir);
  };

  const closeAll = async (): Promise<void> => {
    await Promise.allSettled([...opening.values(), ...reopening.values()]);
    await Promise.all([...projects.values()].map(close));
    projects.clear();
  };

  const get: OpenProjects["get"] = async (path) => {
    if (closing !== undefined) return refuse("unavailable", "The daemon is stopping.");
    // The real path of an open project is found without a file system call.
    const byPath = projects.get(path ?? first ?? "");
    if (byPath !== undefined && !mayActMeanwhile(byPath)) return ok(byPath);
    const dir = realFolder(path ?? first);
    if (!dir.ok) return dir;
    const byRealPath = projects.get(dir.value);
    if (byRealPath !== undefined && !mayActMeanwhile(byRealPath)) return ok(byRealPath);
    if (byRealPath !== undefined) reopen(dir.value);
    await reopening.get(dir.value);
    const pending = opening.get(dir.value) ?? open(dir.value);
    opening.set(dir.value, pending);
    return ok(await pending);
  };

  return {
    get,
    open: () => [...projects.values()],
    reopen,
    followConsent,
    failed: () => failed,
    [Symbol.asyncDispose]: () => {
      stopped.abort();
      return (closing ??= closeAll());
    },
  };
}

/** True for a project at rest that need not rest any longer: it was trusted since it was opened, or its store is back. */
function mayActMeanwhile({ atRest, trust, storeMissing, storeFile }: DaemonProject): boolean {
  return atRest && trust.mayAct() && (!storeMissing || existsSync(storeFile));
}

/** Returns whether the project has work that goes on without a request. */
function hasWorkLeft(project: DaemonProject): Promise<boolean> {
  return project.store.read(async (store) => {
    const open = await store.workspaces.list({ state: "open" });
    if (open.some(({ provider }) => provider !== "memory")) return true;
    if ((await store.schedules.list()).length > 0) return true;
    const [delivery] = await store.deliveries.open({ limit: 1 });
    if (delivery === undefined) return false;
    return (await store.workspaces.byKey(delivery.message.space))?.provider !== "memory";
  });
}

function realFolder(path: string | undefined): Result<string, Refusal> {
  if (path === undefined) {
    return refuse("invalid", "The daemon was started without a project, and the request names none.", {
      hint: "Name the folder of the project.",
    });
  }
  if (!isAbsolute(path)) {
    return refuse("invalid", `"${path}" is not an absolute path.`, { hint: "Name the project by its whole path." });
  }
  try {
    const dir = realpathSync(path);
    if (statSync(dir).isDirectory()) return ok(dir);
    return refuse("invalid", `${path} is not a folder.`, { hint: "A project is known by its folder." });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (errno === "ENOENT" || errno === "ENOTDIR") return refuse("not_found", `There is no folder ${path}.`);
    return refuse("invalid", `${path} cannot be used as a project (${errno}).`);
  }
}
