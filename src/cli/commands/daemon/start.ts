import { urlOf } from "../../../client/address.ts";
import { homeFolder } from "../../../client/home.ts";
import { reachDaemon } from "../../../client/reach.ts";
import type { Discovery, Exposure } from "../../../contract/service/discovery.ts";
import { DEFAULT_LEASE_MS } from "../../../domain/node/lease.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { Fault } from "../../../kernel/fault.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import type { ChosenNode } from "../../../daemon/node/node-settings.ts";
import { exposureArguments, LISTENING_OPTIONS, readExposure } from "./listening-options.ts";
import { nodeArguments, NODE_OPTIONS, readNode } from "./node-options.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import type { Terminal } from "../../output/terminal.ts";
import { Refused } from "../../refused.ts";

export const daemonStart = defineCommand({
  about: [
    "Starts the daemon and comes back when it answers. With --foreground it is this very process, until Ctrl-C.",
    "It listens on 127.0.0.1, port 5099, or a free one when another program has it. --port and AGENT_WORKER_PORT choose",
    "another; port 0 is any free one.",
    "Another address needs --tls-cert and --tls-key, or --behind-proxy. With TLS the same port takes plain HTTP from this",
    "machine only, so commands here go on as always.",
    "--node, --label, --capacity and --lease say which node it is, where several machines share a store; so do the",
    "variables AGENT_WORKER_NODE, AGENT_WORKER_LABELS, AGENT_WORKER_CAPACITY and AGENT_WORKER_LEASE.",
    "With --trust, or AGENT_WORKER_TRUST=1, it trusts every project it opens: for machines that only run your own.",
  ].join("\n"),
  options: {
    port: { value: "N", about: "Listen on this port" },
    ...LISTENING_OPTIONS,
    ...NODE_OPTIONS,
    foreground: { about: "Stay in this terminal" },
  },
  examples: ["agent-worker daemon start", "agent-worker daemon start --port 0 --foreground"],

  async run(invocation) {
    const { options } = invocation;
    const port = options.port === undefined ? undefined : wholeNumber("--port", options.port);
    if (port !== undefined && port > 65_535) throw new UsageError("--port is at most 65535.");
    const exposure = readExposure(options);
    const address = {
      ...(port === undefined ? {} : { port }),
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(exposure === undefined ? {} : { exposure }),
    };
    const { trust, terminal } = invocation;
    const node = readNode(options, terminal.env);
    return options.foreground
      ? runInForeground(invocation, address, node, trust)
      : startInBackground(invocation, address, node, trust);
  },
});

interface Address {
  readonly port?: number;
  readonly host?: string;
  readonly exposure?: Exposure;
}

/** Runs the daemon in this process. Its one line on standard output means that it is ready. */
async function runInForeground(
  invocation: Invocation,
  address: Address,
  node: ChosenNode,
  trustsAll: boolean,
): Promise<number> {
  const { terminal, json } = invocation;
  const { runDaemon } = await import("../../../daemon/main.ts");
  return runDaemon({
    env: terminal.env,
    trustsAll,
    projectDir: invocation.projectDir(),
    ...address,
    node,
    onReady: ({ url, instance, version }) =>
      terminal.print(json ? `${JSON.stringify({ url, instance, version })}\n` : `Ready at ${url}. Ctrl-C stops it.\n`),
    onWarning: (text) => terminal.note(`Warning: ${text}\n`),
  });
}

async function startInBackground(
  invocation: Invocation,
  { port, host, exposure }: Address,
  node: ChosenNode,
  trust: boolean,
): Promise<number> {
  const { env, progress } = invocation.terminal;
  const home = homeFolder(env);
  const before = await registered(home);
  await goOn(home, env, before !== undefined);
  if (before === undefined) {
    const args = [
      ...(port === undefined ? [] : ["--port", String(port)]),
      ...(host === undefined ? [] : ["--host", host]),
      ...exposureArguments(exposure),
      ...nodeArguments(node),
      ...(trust ? ["--trust"] : []),
    ];
    const { startDaemon } = await import("../../../client/start-daemon.ts");
    const projectDir = invocation.projectDir();
    const connection = await startDaemon({ home, env, clock: systemClock, projectDir, args, onProgress: progress });
    connection[Symbol.dispose]();
  } else if ((port !== undefined && port !== before.port) || (host !== undefined && host !== before.host)) {
    throw new Refused({
      code: "conflict",
      message: `The daemon already listens on ${before.host}, port ${before.port}.`,
      hint: "Stop it first: agent-worker daemon stop",
    });
  } else if (isOtherNode(node, before.node)) {
    const name = before.node?.name;
    throw new Refused({
      code: "conflict",
      message: `The daemon runs already, as ${name === undefined ? "a node without a name of its own" : `the node "${name}"`} or with another lease, capacity or other labels.`,
      hint: "Stop it first: agent-worker daemon stop",
    });
  }
  const daemon = before ?? (await registered(home));
  if (daemon === undefined) throw new Fault("daemon_unreachable", "The daemon stopped as soon as it had started.");
  const { pid, version } = daemon;
  const url = urlOf(daemon.host, daemon.port);
  return invocation.print(
    { url, pid, version, started: before === undefined },
    `The daemon ${before === undefined ? "runs" : "runs already"} at ${url} (process ${pid}).\n`,
  );
}

/** Whether something was chosen that the running daemon was not started with. */
function isOtherNode(chosen: ChosenNode, running: Discovery["node"]): boolean {
  const { name, labels, capacity, leaseMs } = chosen;
  return (
    (name !== undefined && name !== running?.name) ||
    (labels !== undefined && labels.join() !== (running?.labels ?? []).join()) ||
    (capacity !== undefined && capacity !== (running?.capacity ?? null)) ||
    (leaseMs !== undefined && leaseMs !== (running?.leaseMs ?? DEFAULT_LEASE_MS))
  );
}

/** Who starts the daemon on purpose goes on with everything that was stopped. */
export async function goOn(home: string, env: Terminal["env"], isRunning: boolean): Promise<void> {
  if (isRunning) {
    const { connectToDaemon } = await import("../../../client/connect.ts");
    using client = await connectToDaemon({ home, env });
    // A daemon of an earlier version has nothing to go on with.
    await client.goOn().catch(() => {});
  } else (await import("../../../daemon/work-hold.ts")).releaseWork(home);
}

async function registered(home: string): Promise<Discovery | undefined> {
  const reached = await reachDaemon(home);
  if (reached.state === "ready") reached.connection[Symbol.dispose]();
  return reached.state === "ready" ? reached.daemon : undefined;
}
