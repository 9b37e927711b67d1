import { healthView, type HealthView } from "../contract/health.ts";
import { CHALLENGE_HEADER, PROOF_HEADER } from "../contract/routes.ts";
import type { Clock } from "../kernel/clock.ts";
import { refuse } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import type { DaemonContext } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import type { ServiceRoute } from "./served-route.ts";

/**
 * `GET /health`. Anybody may know that something is here and how it is; who holds a person's token is told the rest. It
 * also answers the challenge by which a caller makes sure of the daemon before it sends a token.
 */
export interface HealthParts {
  readonly clock: Clock;
  /** Streams of events that are open. */
  readonly streams: () => number;
}

const NONCE = /^[\w-]{16,128}$/;

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
    async answer({ hosting, identity, request, response }) {
      const nonce = request.headers[CHALLENGE_HEADER];
      if (nonce !== undefined) {
        if (typeof nonce !== "string" || !NONCE.test(nonce)) {
          return refuse("invalid", `The header ${CHALLENGE_HEADER} takes 16 to 128 letters and digits.`);
        }
        response.setHeader(PROOF_HEADER, hosting.prove(nonce));
      }
      const status = statusOf(hosting);
      if (identity === undefined) return ok({ status });
      if (identity.kind === "run") return refuse("forbidden", "Only a person may see the details.");
      const projects = await Promise.all(hosting.openProjects().map(projectHealth));
      return ok({
        status,
        problems: [...hosting.problems()],
        instance: hosting.instance,
        pid: process.pid,
        version: hosting.version,
        startedAt: new Date(started.at).toISOString(),
        uptimeMs: Math.round(clock.monotonic() - started.monotonic),
        agents: projects.reduce((sum, { agents }) => sum + agents, 0),
        projects,
        clients: { events: streams(), runTokens: hosting.runCredentials.size },
        memory: memoryInUse(),
      } satisfies HealthView);
    },
  };
}

/** Looking takes a file descriptor, and to say that none is left must still be possible. */
function memoryInUse(): HealthView["memory"] {
  try {
    const { rss, heapUsed } = process.memoryUsage();
    return { rss, heapUsed };
  } catch {
    return { rss: 0, heapUsed: 0 };
  }
}

function statusOf(hosting: DaemonContext): HealthView["status"] {
  const phase = hosting.phase();
  return phase === "ready" && hosting.problems().length > 0 ? "degraded" : phase;
}

async function projectHealth(project: RunningProject): Promise<HealthView["projects"][number]> {
  const { pending, dead } = await project.store.read((store) => store.deliveries.backlog());
  const { loops } = project.runtime;
  return {
    dir: project.dir,
    agents: project.definitions.agents().length,
    loops: loops.size,
    running: loops.running,
    pending,
    dead,
    lostCommits: project.lostCommits,
  };
}
