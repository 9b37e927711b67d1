import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { urlOf } from "../client/address.ts";
import { ownVersion } from "../client/own-version.ts";
import { LOGS_FOLDER, prepareHome } from "../client/prepare-home.ts";
import type { EngineName } from "../domain/agent/definition.ts";
import type { Exposure } from "../contract/service/discovery.ts";
import { errnoOf, fileFault } from "../files/file-fault.ts";
import { createHttpServer, type HttpServer, type HttpServerParts } from "../http/server.ts";
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
import { watchHome } from "./machine/home-presence.ts";
import { openKnownProjects, type KnownProjects } from "./known-projects.ts";
import { openKnownStores } from "./store/known-stores.ts";
import { createRunSlots } from "../runtime/node/run-slots.ts";
import { DEFAULT_LEASE_MS } from "../domain/node/lease.ts";
import { nodeInEnvironment, nodeSettings, type ChosenNode } from "./node/node-settings.ts";
import { namesOfKeys } from "./keys/names-of-keys.ts";
import { openStoredKeys } from "./keys/stored-keys.ts";
import { openLogFile } from "./log-file.ts";
import { createOpenProjects, type OpenProjects } from "./open-projects.ts";
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
  /** Uses any free port when another program has `port`. Without it, that is a Fault. */
  readonly usesFreePortIfTaken?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Engines in addition to the built-in ones; one with the same name replaces the built-in one. */
  readonly engines?: ReadonlyMap<EngineName, Engine>;
  /** Proposals for every project, made with `defineProposal`. */
  readonly proposals?: readonly ProposalDefinition[];
  /** Required for a host that is not loopback. */
  readonly exposure?: Exposure;
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
  const node = nodeSettings(home, { ...nodeInEnvironment(env), ...options.node });
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
          accepted: () => server?.accepted() ?? 0,
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
    const page = createPageSessions(clock, pageSessionFile(home, log));
    let port = 0;
    const daemon = createDaemonContext({
      version,
      node: node.name,
      instance,
      phase: () => phase,
      problems,
      keys: async () => namesOfKeys({ ...env, ...(await storedKeys()) }),
      hold,
      page,
      projects,
      token,
      runCredentials,
      shutdown,
      url: () => url,
      publicUrl: () => publicUrlOf(options.exposure, host, port),
    });
    const mcp = createMcpHandler(clock);
    const http = createHttpServer({
      daemon,
      mcp,
      log,
      clock,
      pageFiles: openPageFiles(),
      ...protection(options.exposure),
    });
    server = http;
    closers.add("server", () => http.close());
    // Closed before the server: a client that finds the port closed must not find the registration.
    closers.add("registration", () => removeDiscovery(home, instance));
    closers.add("projects", () => projects[Symbol.asyncDispose]());
    // The program on the port got what browsers send and store for this address.
    const onPortTaken = (): void => {
      page.endAllSessions();
      log.warn("another program has the port", { port: options.port });
    };
    const listening = { host, port: options.port ?? 0, usesFreePortIfTaken: options.usesFreePortIfTaken ?? false };
    ({ port } = await listen(http, listening, onPortTaken));
    url = urlOf(host, port);
    const chosenNode = {
      ...(node.isUnnamed === true ? {} : { name: node.name }),
      labels: [...node.labels],
      capacity: node.capacity,
      ...(node.leaseMs === DEFAULT_LEASE_MS ? {} : { leaseMs: node.leaseMs }),
    };
    const exposed = options.exposure === undefined ? {} : { exposure: options.exposure };
    const startedAt = new Date(clock.now()).toISOString();
    writeDiscovery(home, {
      pid: process.pid,
      host,
      port,
      token: token.text,
      instance,
      startedAt,
      version,
      ...exposed,
      node: chosenNode,
    });
    const presence = watchHome(home, clock, () => void stop());
    closers.add("home", () => presence[Symbol.dispose]());
    phase = "ready";
    log.info("ready", { url, instance, version, home });
    const stopping = new AbortController();
    closers.add("reopening", () => stopping.abort());
    void reopenProjects(projects, projectDir, known, (ms) => clock.sleep(ms, stopping.signal)).catch(() => {});

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

const REOPEN_MS = 5_000;

/**
 * Opens the projects of the last daemon one after another, so that their work goes on without a request. One whose
 * database server is away is tried again: after a power cut the machine of the server may be the last to come back.
 */
async function reopenProjects(
  projects: OpenProjects,
  first: string | undefined,
  known: KnownProjects,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  let dirs = [...(first === undefined ? [] : [first]), ...known.list()];
  while (dirs.length > 0) {
    const away: string[] = [];
    for (const dir of dirs) {
      try {
        const opened = await projects.get(dir);
        if (!opened.ok && opened.error.code !== "unavailable") known.forget(dir);
      } catch (error) {
        // `projects` has logged it and lists it among the problems.
        if (error instanceof Fault && error.code === "database_unreachable") away.push(dir);
      }
    }
    dirs = away;
    if (dirs.length > 0) await sleep(REOPEN_MS);
  }
}

/** The address that other devices open; undefined while only this machine reaches the daemon. */
function publicUrlOf(exposure: Exposure | undefined, host: string, port: number): string | undefined {
  if (exposure === undefined) return undefined;
  if (exposure.kind === "proxy") return `https://${exposure.name}/`;
  const outside = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = outside.find(({ internal, family }) => !internal && family === "IPv4")?.address;
  const name = host === "0.0.0.0" || host === "::" ? (found ?? "127.0.0.1") : host;
  return `https://${name.includes(":") ? `[${name}]` : name}:${port}/`;
}

/** What the server needs to be reached from other machines. */
function protection(exposure: Exposure | undefined): Pick<HttpServerParts, "tls" | "publicName"> {
  if (exposure === undefined) return {};
  if (exposure.kind === "proxy") return { publicName: exposure.name };
  try {
    return { tls: { cert: readFileSync(exposure.cert, "utf8"), key: readFileSync(exposure.key, "utf8") } };
  } catch (error) {
    throw fileFault("read", "the certificate or its key", error);
  }
}

async function listen(
  server: HttpServer,
  address: { readonly host: string; readonly port: number; readonly usesFreePortIfTaken: boolean },
  onTaken: () => void,
): Promise<{ readonly port: number }> {
  try {
    return await server.listen({ host: address.host, port: address.port });
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    const { host, port } = address;
    const inUse = errno === "EADDRINUSE";
    if (inUse) onTaken();
    if (inUse && address.usesFreePortIfTaken) {
      return listen(server, { host, port: 0, usesFreePortIfTaken: false }, onTaken);
    }
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
