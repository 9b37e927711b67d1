import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  openRunningProject,
  type RunningProjectOptions,
  type DaemonProject,
} from "../../../src/daemon/running-project.ts";
import type { RecordedEvent } from "../../../src/domain/event.ts";
import { person } from "../../../src/kernel/caller.ts";
import { systemClock, type Clock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { seededRandom } from "../../../src/kernel/random.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { closeWorkspace } from "../../../src/operations/workspaces/close-workspace.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import type { Engine } from "../../../src/ports/engine.ts";
import type { MessageRecord } from "../../../src/ports/store/message.ts";
import type { RunRecord } from "../../../src/ports/store/run.ts";
import type { StartRequest } from "../../../src/runtime/workflows/workflow-lifecycle.ts";
import { value } from "../result.ts";
import { callOk } from "./project.ts";

/** A project at work in a folder of its own, on the real clock unless told otherwise. Stopped and deleted after use. */
export interface LiveTestProject extends DaemonProject {
  /** Everything published so far, in order. */
  readonly published: readonly RecordedEvent[];
  write(path: string, text: string): void;
  /** A person speaks. */
  send(to: string, message: string): Promise<{ readonly id: string }>;
  open(workflow: string, tag?: string, options?: { readonly continue: boolean }): Promise<string>;
  close(target: string): Promise<void>;
  /** Starts a workflow and fails the test if that is refused. */
  start(workflow: string, more?: Partial<StartRequest>): Promise<string>;
  /** What was said in a space, oldest first. */
  messages(space: string): Promise<MessageRecord[]>;
  /** The same as `sender: text`, without the notices of the system. */
  said(space: string): Promise<string[]>;
  /** Every run there ever was, oldest first. */
  runs(): Promise<RunRecord[]>;
  /** Resolves when no delivery is open and no run unfinished, in any store. */
  quiet(patienceMs?: number): Promise<void>;
  /** Closes the project and opens the same folder again: what a restart of the daemon does. */
  restart(): Promise<LiveTestProject>;
}

export interface LiveTestOptions extends Partial<Pick<RunningProjectOptions, "random" | "redactor" | "log" | "env">> {
  readonly files?: Readonly<Record<string, string>>;
  /** Takes the place of the mock engine. */
  readonly engine?: Engine;
  readonly clock?: Clock;
}

export async function openLiveTestProject(options: LiveTestOptions = {}): Promise<LiveTestProject> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "live-")));
  try {
    return await openAt(dir, options, true);
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** The same in a folder of somebody else's, which is left as it is. */
export function openLiveTestProjectIn(dir: string, options: LiveTestOptions = {}): Promise<LiveTestProject> {
  return openAt(dir, options, false);
}

async function openAt(dir: string, options: LiveTestOptions, owned: boolean): Promise<LiveTestProject> {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  for (const [path, text] of Object.entries(options.files ?? {})) write(path, text);
  const project = await openRunningProject({
    dir,
    clock: options.clock ?? systemClock,
    random: options.random ?? seededRandom(1),
    log: options.log ?? silentLog,
    redactor: options.redactor ?? createRedactor(),
    env: options.env ?? { PATH: process.env["PATH"] },
    ...(options.engine === undefined ? {} : { engines: new Map([["mock", options.engine]]) }),
  });
  const published: RecordedEvent[] = [];
  project.events.observe((events) => void published.push(...events));
  const messages = (space: string): Promise<MessageRecord[]> =>
    project.store.read((store) => store.messages.page({ space, limit: 1_000_000 }));
  let handedOver = false;
  return {
    ...project,
    published,
    write,
    messages,
    send: (to, message) => callOk(project, person, sendMessage, { to, message }),
    async open(workflow, tag = "main", options = { continue: false }) {
      return (await callOk(project, person, openWorkspace, { workflow, tag, ...options })).space;
    },
    async close(target) {
      await callOk(project, person, closeWorkspace, { target });
    },
    async start(workflow, more = {}) {
      const request = {
        workflow,
        tag: "main",
        params: {},
        untilIdle: false,
        staysOpen: true,
        watch: () => {},
        ...more,
      };
      return value(await project.workflows.start(request, new AbortController().signal)).space;
    },
    async said(space) {
      return (await messages(space)).flatMap(({ kind, sender, body }) =>
        kind === "notice" ? [] : [`${sender}: ${body}`],
      );
    },
    async runs() {
      const ids = published.flatMap((event) => (event.type === "run.started" ? [event] : []));
      const runs = ids.map(({ run }) => project.store.read((store) => store.runs.byId(run)));
      return (await Promise.all(runs)).filter((run) => run !== undefined);
    },
    quiet: (patienceMs) =>
      eventually(
        "the project is quiet",
        async () => {
          const left = await project.store.read(async (store) => {
            const open = await store.deliveries.countOpenByLane();
            return open.length + (await store.runs.unfinished()).length;
          });
          return left === 0;
        },
        patienceMs,
      ),
    async restart() {
      handedOver = true;
      await project[Symbol.asyncDispose]();
      return openAt(dir, { ...options, files: {} }, owned);
    },
    async [Symbol.asyncDispose]() {
      await project[Symbol.asyncDispose]();
      if (owned && !handedOver) rmSync(dir, { recursive: true, force: true });
    },
  };
}

const PATIENCE_MS = 10_000;

/** Waits for something that happens by itself; says what it waited for when it does not. */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  for (const end = performance.now() + patienceMs; ; await pause(2)) {
    if (await check()) return;
    if (performance.now() > end) throw new Error(`It did not happen: ${what}.`);
  }
}
