import { homeFolder } from "../client/home.ts";
import type { Exposure } from "../contract/service/discovery.ts";
import { EXIT } from "../contract/service/errors.ts";
import { Fault } from "../kernel/fault.ts";
import { holdProcess } from "../kernel/clock.ts";
import { isProjectCode } from "../kernel/project-code.ts";
import { LOG_LEVELS } from "../kernel/log.ts";
import { openDaemon, type Daemon } from "./daemon.ts";
import type { ChosenNode } from "./node/node-settings.ts";
import { listeningPort } from "./listening-port.ts";

/** Options of `agent-worker daemon start --foreground`. */
export interface DaemonRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectDir?: string;
  /** Every project is trusted as it is. */
  readonly trustsAll: boolean;
  /** From the command line; without it `AGENT_WORKER_PORT`, and then 5099, or a free one if that is taken. */
  readonly port?: number;
  readonly host?: string;
  /** Required for a host that is not loopback. */
  readonly exposure?: Exposure;
  readonly node?: ChosenNode;
  readonly onReady: (daemon: Pick<Daemon, "url" | "instance" | "version">) => void;
  readonly onWarning: (text: string) => void;
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

/**
 * Runs the daemon in this process until SIGTERM, Ctrl-C or a request stops it. Returns the exit code. A second signal,
 * or an uncaught error, which is logged, ends the process at once. Throws a Fault when the daemon cannot start.
 */
export async function runDaemon(run: DaemonRun): Promise<number> {
  const { env, projectDir, host = "127.0.0.1" } = run;
  if (!LOOPBACK.test(host) && run.exposure === undefined) {
    throw new Fault("port_unusable", `Listening on ${host} needs encryption.`, {
      hint: "Give --tls-cert FILE and --tls-key FILE, or --behind-proxy NAME.",
    });
  }
  if (run.exposure?.kind === "proxy" && !LOOPBACK.test(host)) {
    run.onWarning(`Listening on ${host} without TLS of its own: let nobody but the proxy reach this port.`);
  }
  using _alive = holdProcess();
  const level = LOG_LEVELS.find((each) => each === env["AGENT_WORKER_LOG"]);
  const { port, isDefault } = run.port === undefined ? listeningPort(env) : { port: run.port, isDefault: false };
  const daemon = await openDaemon({
    home: homeFolder(env),
    host,
    port,
    usesFreePortIfTaken: isDefault,
    env,
    trustsAll: run.trustsAll,
    ...(run.node === undefined ? {} : { node: run.node }),
    ...(run.exposure === undefined ? {} : { exposure: run.exposure }),
    ...(projectDir === undefined ? {} : { projectDir }),
    ...(level === undefined ? {} : { logLevel: level }),
  });
  using _signals = stopOnSignals(daemon);
  using _bugs = endOnBugs(daemon);
  run.onReady(daemon);
  await daemon.stopped;
  return EXIT.ok;
}

function stopOnSignals(daemon: Daemon): Disposable {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(signal === "SIGINT" ? EXIT.interrupted : EXIT.failed);
    stopping = true;
    daemon.log.info("asked to stop", { signal });
    void daemon[Symbol.asyncDispose]();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return {
    [Symbol.dispose]() {
      for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    },
  };
}

const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

function endOnBugs(daemon: Daemon): Disposable {
  const onBug = (error: unknown): void => {
    if (isProjectCode()) {
      daemon.log.error("code of a project failed after its call, or outside of it", { error });
      return;
    }
    daemon.log.error("a bug that nothing caught ends the daemon", { error });
    process.exit(EXIT.failed);
  };
  process.on("uncaughtException", onBug).on("unhandledRejection", onBug);
  return {
    [Symbol.dispose]: () => void process.off("uncaughtException", onBug).off("unhandledRejection", onBug),
  };
}
