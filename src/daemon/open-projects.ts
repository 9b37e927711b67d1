import { realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { errnoOf } from "../files/file-fault.ts";
import type { Log } from "../kernel/log.ts";
import { refuse, type Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import type { KnownProjects } from "./known-projects.ts";
import type { DaemonProject } from "./running-project.ts";

/** The projects of a daemon: opened on first use, identified by their real path, closed together. */
export interface OpenProjects extends AsyncDisposable {
  /** Concurrent calls share one opening. Throws when the project cannot be opened; the next call tries again. */
  get(path: string | undefined): Promise<Result<DaemonProject, Refusal>>;
  open(): readonly DaemonProject[];
  /** Closes a project whose consent changed, and opens it again, at rest or at work. */
  reopen(dir: string): void;
  /** Projects whose last opening failed, and why. */
  failed(): ReadonlyMap<string, string>;
}

export interface OpenProjectsParts {
  /** The project of requests that name none. */
  readonly first: string | undefined;
  readonly openProject: (dir: string) => Promise<DaemonProject>;
  readonly known: KnownProjects;
  readonly log: Log;
}

export function createOpenProjects({ first, openProject, known, log }: OpenProjectsParts): OpenProjects {
  const projects = new Map<string, DaemonProject>();
  const opening = new Map<string, Promise<DaemonProject>>();
  const failed = new Map<string, string>();
  const reopening = new Map<string, Promise<void>>();
  let closing: Promise<void> | undefined;

  const open = async (dir: string): Promise<DaemonProject> => {
    try {
      const project = await openProject(dir);
      projects.set(dir, project);
      failed.delete(dir);
      if (!project.atRest) known.remember(dir);
      return project;
    } catch (error) {
      failed.set(dir, error instanceof Error ? error.message : String(error));
      log.error("a project could not be opened", { project: dir, error });
      throw error;
    } finally {
      opening.delete(dir);
    }
  };

  const close = async (project: DaemonProject): Promise<void> => {
    try {
      if (!(await hasWorkLeft(project))) known.forget(project.dir);
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

  const closeAll = async (): Promise<void> => {
    await Promise.allSettled([...opening.values(), ...reopening.values()]);
    await Promise.all([...projects.values()].map(close));
    projects.clear();
  };

  const get: OpenProjects["get"] = async (path) => {
    if (closing !== undefined) return refuse("unavailable", "The daemon is stopping.");
    // The real path of an open project is found without a file system call.
    const byPath = projects.get(path ?? first ?? "");
    if (byPath !== undefined && !isTrustedMeanwhile(byPath)) return ok(byPath);
    const dir = realFolder(path ?? first);
    if (!dir.ok) return dir;
    const byRealPath = projects.get(dir.value);
    if (byRealPath !== undefined && !isTrustedMeanwhile(byRealPath)) return ok(byRealPath);
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
    failed: () => failed,
    [Symbol.asyncDispose]: () => (closing ??= closeAll()),
  };
}

/** True for a project at rest that was trusted since it was opened, by this daemon or by the command. */
function isTrustedMeanwhile({ atRest, trust }: DaemonProject): boolean {
  return atRest && trust.mayAct();
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
