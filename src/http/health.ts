import { CHALLENGE_HEADER, PROOF_HEADER } from "../contract/service/headers.ts";
import { healthView, type HealthView } from "../contract/service/health.ts";
import { nodeState } from "../domain/node/node.ts";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { refuse } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import { readGuardFailures } from "../operations/guard/read-guard-failures.ts";
import { readUnfinishedRuns, type UnfinishedRuns } from "../operations/runs/waiting-runs.ts";
import { readTroubles, type Troubles } from "../operations/troubles/read-troubles.ts";
import type { DaemonContext } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import type { ServiceRoute } from "./served-route.ts";

export interface HealthParts {
  readonly clock: Clock;
  /** Number of open event streams. */
  readonly streams: () => number;
}

const NONCE = /^[\w-]{16,128}$/;

/**
 * `GET /health`. Every client gets the status; a person's token gets the details. It also responds to the challenge of
 * the handshake, by which a client verifies the daemon before it sends a token.
 */
export function createHealthRoute({ clock, streams }: HealthParts): ServiceRoute {
  const started = { at: clock.now(), monotonic: clock.monotonic() };
  return {
    kind: "service",
    method: "GET",
    path: "/health",
    access: "anyone",
    about: {
      id: "health",
      summary: "How the daemon is doing. Without a token only the status is told.",
      output: healthView,
    },
    async handle({ daemon, credentials, request, response }) {
      const nonce = request.headers[CHALLENGE_HEADER];
      if (nonce !== undefined) {
        if (typeof nonce !== "string" || !NONCE.test(nonce)) {
          return refuse("invalid", `The header ${CHALLENGE_HEADER} takes 16 to 128 letters and digits.`);
        }
        response.setHeader(PROOF_HEADER, daemon.prove(nonce));
      }
      const status = statusOf(daemon);
      if (credentials === undefined) return ok({ status });
      if (credentials.identity.kind === "run") return refuse("forbidden", "Only a person may see the details.");
      const projects = await Promise.all(daemon.openProjects().map((each) => projectHealth(each, daemon, clock)));
      return ok({
        status,
        problems: [...daemon.problems()],
        instance: daemon.instance,
        pid: process.pid,
        url: daemon.url(),
        version: daemon.version,
        node: daemon.node,
        startedAt: new Date(started.at).toISOString(),
        uptimeMs: Math.round(clock.monotonic() - started.monotonic),
        agents: projects.reduce((sum, { agents }) => sum + agents, 0),
        projects,
        keys: [...(await daemon.keys())],
        clients: { events: streams(), runTokens: daemon.runCredentials.size },
        memory: memoryInUse(),
      } satisfies HealthView);
    },
  };
}

/** Reading it takes a file descriptor. Health must work when none is left. */
function memoryInUse(): HealthView["memory"] {
  try {
    const { rss, heapUsed } = process.memoryUsage();
    return { rss, heapUsed };
  } catch {
    return { rss: 0, heapUsed: 0 };
  }
}

function statusOf(daemon: DaemonContext): HealthView["status"] {
  const phase = daemon.phase();
  return phase === "ready" && daemon.problems().length > 0 ? "degraded" : phase;
}

/** What the store says of a project. */
interface StoredHealth {
  readonly runs: UnfinishedRuns;
  readonly troubles: Pick<Troubles, "waits" | "dead" | "resting" | "unplaced" | "refused" | "broken">;
  readonly guardFailures: HealthView["projects"][number]["guardFailures"];
  readonly open: number;
  readonly pending: number;
  readonly nodes: NonNullable<HealthView["projects"][number]["nodes"]>;
}

const NOTHING_KNOWN: StoredHealth = {
  runs: { running: [], waiting: [], waits: [], stops: new Map() },
  troubles: { waits: [], dead: 0, resting: [], unplaced: [], refused: [], broken: [] },
  guardFailures: [],
  open: 0,
  pending: 0,
  nodes: [],
};
/** Whoever asks how the daemon is must not wait for a server that is away. */
const STORE_PATIENCE_MS = 3_000;

async function readStoredHealth(project: RunningProject): Promise<StoredHealth> {
  return project.store.read(async (store) => {
    const unfinished = await readUnfinishedRuns(store);
    const counts = await store.deliveries.countOpenByLane();
    const nodes = await store.nodes.list();
    const time = await store.time();
    return {
      runs: unfinished,
      troubles: await readTroubles(store, project.services, unfinished),
      guardFailures: await readGuardFailures(store, project.definitions),
      open: counts.reduce((sum, { count }) => sum + count, 0),
      pending: (await store.deliveries.backlog()).pending,
      nodes: nodes.length > 1 ? nodes.map((node) => ({ name: node.name, state: nodeState(node, time) })) : [],
    };
  });
}

/** A store on a server may not answer: the problems of the daemon say so. */
async function knownHealth(project: RunningProject, clock: Clock): Promise<StoredHealth> {
  if (!project.store.shared) return readStoredHealth(project);
  const enough = new AbortController();
  const late = clock.sleep(STORE_PATIENCE_MS, enough.signal).then(
    () => NOTHING_KNOWN,
    () => NOTHING_KNOWN,
  );
  const read = readStoredHealth(project).catch((error: unknown) => {
    if (error instanceof Fault) return NOTHING_KNOWN;
    throw error;
  });
  return Promise.race([read, late]).finally(() => enough.abort());
}

async function projectHealth(
  project: RunningProject,
  { hold }: DaemonContext,
  clock: Clock,
): Promise<HealthView["projects"][number]> {
  // When the files cannot be read, what was read last is shown.
  await project.definitions.refresh().catch(() => {});
  const { runs, troubles, guardFailures, open, pending, nodes } = await knownHealth(project, clock);
  return {
    dir: project.dir,
    agents: project.definitions.agents().length,
    loops: project.runtime.loops.size,
    // Nothing is executed in a project at rest, whatever its database says.
    running: project.atRest ? 0 : runs.running.length,
    waiting: runs.waiting.length,
    waits: [...troubles.waits],
    open,
    pending,
    dead: troubles.dead,
    lostCommits: project.store.lostCommits,
    atRest: project.atRest && project.services.trust.kind() !== "trusted",
    stopped: hold.isHeld(project.dir),
    resting: [...troubles.resting],
    unplaced: troubles.unplaced.map(({ reason }) => reason),
    refused: troubles.refused.map(({ reason, next }) => ({ reason, next })),
    nodes: [...nodes],
    broken: [...troubles.broken],
    guardFailures: [...guardFailures],
  };
}
