import { join } from "node:path";
import { urlOf } from "../client/address.ts";
import { ownVersion } from "../client/own-version.ts";
import { LOGS_FOLDER, prepareHome } from "../client/prepare-home.ts";
import type { EngineName } from "../domain/agent/definition.ts";
import { errnoOf } from "../files/file-fault.ts";
import { createHttpServer, type HttpServer } from "../http/server.ts";
import { systemClock, type Clock } from "../kernel/clock.ts";
import { createClosers } from "../kernel/disposal.ts";
import { Fault } from "../kernel/fault.ts";
import { createIds } from "../kernel/ids.ts";
import { createLog, type Log, type LogLevel } from "../kernel/log.ts";
import { systemRandom, type Random } from "../kernel/random.ts";
import { createRedactor } from "../kernel/redact.ts";
import { createMcpHandler } from "../mcp/mcp-handler.ts";
import type { ProposalDefinition } from "../operations/own-proposals/definition.ts";
import type { Engine } from "../ports/engine.ts";
import type { DaemonContext } from "../runtime/daemon-context.ts";
import { readStoreId } from "../storage/sqlite/inspect.ts";
import { createDaemonContext } from "./daemon-context.ts";
import { lockHome } from "./daemon-lock.ts";
import { removeDiscovery, writeDiscovery } from "./discovery-file.ts";
import { openKnownProjects, type KnownProjects } from "./known-projects.ts";
import { openKnownStores } from "./store/known-stores.ts";
import { createRunSlots } from "../runtime/node/run-slots.ts";
import { nodeSettings, type ChosenNode } from "./node/node-settings.ts";
import { namesOfKeys } from "./keys/names-of-keys.ts";
import { openStoredKeys } from "./keys/stored-keys.ts";
import { openLogFile } from "./log-file.ts";
import { createOpenProjects, type OpenProjects } from "./open-projects.ts";
import { readPageAccess, tlsOf, type PageAccess } from "./page-access.ts";
import { openPageFiles } from "./page-files.ts";
import { pageSessionFile } from "./page-session-file.ts";
import { createPageSessions } from "./page-sessions.ts";
import { createPersonToken } from "./person-token.ts";
import { findProblems } from "./problems.ts";
import { createRunCredentials } from "./run-credentials.ts";
import { openRunningProject } from "./running-project.ts";
import { secretsIn } from "./secrets-in-environment.ts";
import { openConsentFiles } from "./trust/consent-files.ts";
import { removeRestingCopies } from "./trust/resting-copy.ts";
import { openWorkHold } from "./work-hold.ts";

/**
 * The composed daemon: a locked home, projects, one server, and the registration by which clients find it. Signals and
 * the exit of the process are handled by `main.ts`.
 */
export interface Daemon extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly instance: string;
  readonly version: string;
  readonly log: Log;
  /** Resolves when it has stopped. Disposing the daemon stops it and waits for the same. */
  readonly stopped: Promise<void>;
}

export interface DaemonOptions {
  /** Absolute. Only one daemon can lock it. */
  readonly home: string;
  /** The project of requests that name none. */
  readonly projectDir?: string;
  readonly host?: string;
  /** 0, the default, is any free port. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Engines in addition to the built-in ones; one with the same name replaces the built-in one. */
  readonly engines?: ReadonlyMap<EngineName, Engine>;
  /** Proposals for every project, made with `defineProposal`. */
  readonly proposals?: readonly ProposalDefinition[];
  /** Which node it is, where several share a store. */
  readonly node?: ChosenNode;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly logLevel?: LogLevel;
  /** Every project is trusted as it is, and no consent is asked or kept. For projects that the caller made itself. */
  readonly trustsAll?: boolean;
}

const CLOSE_DEADLINE_MS = 30_000;
const LOG_FILE = "daemon.log";

/** Throws a Fault when the home or the port cannot be used, or another daemon runs. */
export async function openDaemon(options: DaemonOptions): Promise<Daemon> {
  const { home, projectDir, host = "127.0.0.1", env = process.env, engines } = options;
  const { clock = systemClock, random = systemRandom } = options;
  prepareHome(home);
  const token = createPersonToken();
  const redactor = createRedactor({ secrets: [token.text, ...secretsIn(env)] });
  const storedKeys = openStoredKeys(home, env, (value) => redactor.add(value));
  const node = nodeSettings(home, options.node);
  const slots = createRunSlots(node.capacity);
  const instance = createIds(clock, random)("own");
  const version = ownVersion();
  let phase: ReturnType<DaemonContext["phase"]> = "starting";

  const logFile = openLogFile({ path: join(home, LOGS_FOLDER, LOG_FILE) });
  const log = createLog({
    clock,
    level: options.logLevel ?? "info",
    redactValue: (value) => redactor.redactValue(value),
    sink: (line) => logFile.write(line),
  }).with({ pid: process.pid });
  const closers = createClosers(clock, {
    deadlineMs: CLOSE_DEADLINE_MS,
    onProblem: ({ name, error }) => log.error("could not close", { part: name, error }),
  });
  closers.add("log", () => logFile[Symbol.dispose]());

  let server: HttpServer | undefined;
  const stopped = Promise.withResolvers<void>();
  const stop = (): Promise<void> => {
    if (phase !== "draining") {
      phase = "draining";
      log.info("stopping");
      server?.endStreams();
      closers[Symbol.asyncDispose]().then(stopped.resolve, stopped.reject);
    }
    return stopped.promise;
  };

  try {
    const lock = await lockHome(home, clock);
    closers.add("lock", () => lock[Symbol.dispose]());

    let url = "";
    const runCredentials = createRunCredentials(() => `${url}/mcp`);
    const hold = openWorkHold(home);
    const known = openKnownProjects(home, log);
    removeRestingCopies(home);
    const trust = {
      home,
      consents: openConsentFiles(home),
      // The operation that changes it is still to be answered.
      onChange: (dir: string) => void setImmediate(() => projects.followConsent(dir)),
    };
    const reopen = (dir: string): void => void setImmediate(() => projects.reopen(dir));
    const knownStores = openKnownStores(home, log);
    const projects: OpenProjects = createOpenProjects({
      first: projectDir,
      known,
      storeIdOf: readStoreId,
      clock,
      log,
      openProject: (dir) =>
        openRunningProject({
          dir,
          knownStores,
          onReopen: reopen,
          ...(options.trustsAll === true ? {} : { trust }),
          clock,
          random,
          log,
          redactor,
          env,
          home,
          storedKeys,
          hold,
          node,
          slots,
          runCredentials,
          ...(engines === undefined ? {} : { engines }),
          ...(options.proposals === undefined ? {} : { proposals: options.proposals }),
        }),
    });
    const problems = (): string[] =>
      findProblems({ home, projects: projects.open(), failed: projects.failed(), droppedLines: logFile.dropped });
    const shutdown = (): void => void stop();
    const access = readPageAccess(home);
    const page = createPageSessions(clock, pageSessionFile(home, log));
    const daemon = createDaemonContext({
      version,
      node: node.name,
      instance,
      phase: () => phase,
      problems,
      keys: async () => namesOfKeys({ ...env, ...(await storedKeys()) }),
      hold,
      page,
      publicUrl: access?.url,
      projects,
      token,
      runCredentials,
      shutdown,
    });
    const http = createHttpServer({
      daemon,
      mcp: createMcpHandler(clock),
      log,
      clock,
      pageFiles: openPageFiles(),
      ...(access === undefined || access.tls !== undefined ? {} : { publicUrl: access.url }),
    });
    server = http;
    closers.add("server", () => http.close());
    // Closed before the server: a client that finds the port closed must not find the registration.
    closers.add("registration", () => removeDiscovery(home, instance));
    closers.add("projects", () => projects[Symbol.asyncDispose]());
    // The program on the port got what browsers send and store for this address.
    const onPortTaken = (): void => void page.endAllSessions();
    const { port } = await listen(http, { host, port: options.port ?? 0 }, onPortTaken);
    if (access !== undefined) await openToOthers(http, access, log);
    url = urlOf(host, port);
    const chosenNode = { name: node.name, labels: [...node.labels], capacity: node.capacity };
    const startedAt = new Date(clock.now()).toISOString();
    writeDiscovery(home, {
      pid: process.pid,
      host,
      port,
      token: token.text,
      instance,
      startedAt,
      version,
      node: chosenNode,
    });
    phase = "ready";
    log.info("ready", { url, instance, version, home });
    void reopenProjects(projects, projectDir, known);

    return {
      url,
      token: token.text,
      instance,
      version,
      log,
      stopped: stopped.promise,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await closers[Symbol.asyncDispose]();
    throw error;
  }
}

/** Listens for other devices, as the person set it up. The daemon works without it, and says what is wrong. */
async function openToOthers(http: HttpServer, access: PageAccess, log: Log): Promise<void> {
  const tls = tlsOf(access);
  if (tls === undefined) return log.info("the page is behind something that encrypts", { url: access.url });
  const { address, cert, key } = tls;
  try {
    await http.listenEncrypted(address, { cert, key, publicUrl: access.url });
  } catch (error) {
    throw new Fault("port_unusable", `${address.host}, port ${address.port}, cannot be used for the page.`, {
      cause: error,
      hint: "Choose another address: agent-worker ui share --url URL, or switch it off: agent-worker ui share --off",
    });
  }
  log.info("other devices reach the page", { url: access.url, ...address });
}

/** Opens the projects of the last daemon one after another, so that their work goes on without a request. */
async function reopenProjects(projects: OpenProjects, first: string | undefined, known: KnownProjects): Promise<void> {
  for (const dir of [...(first === undefined ? [] : [first]), ...known.list()]) {
    try {
      const opened = await projects.get(dir);
      if (!opened.ok && opened.error.code !== "unavailable") known.forget(dir);
    } catch {
      // `projects` has logged it and lists it among the problems.
    }
  }
}

async function listen(
  server: HttpServer,
  address: { readonly host: string; readonly port: number },
  onTaken: () => void,
) {
  try {
    return await server.listen(address);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    const { host, port } = address;
    const inUse = errno === "EADDRINUSE";
    if (inUse) onTaken();
    throw new Fault(
      "port_unusable",
      `Port ${port} on ${host} ${inUse ? "is taken by another program" : `cannot be used (${errno})`}.`,
      {
        cause: error,
        hint: "Choose another with --port N, or any free one with --port 0 (or AGENT_WORKER_PORT=0).",
      },
    );
  }
}
