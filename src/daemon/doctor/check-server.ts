import { fine, warning, wrong, type Finding } from "./finding.ts";

const OLDEST_VERSION = 140_000;
/** One message takes a few dozen round trips. */
const SLOW_MS = 5;
const FEW_CONNECTIONS = 10;

/** Looks at the server of a store on PostgreSQL. Throws the Fault that keeps the program from using it. */
export async function checkServer(url: string): Promise<Finding[]> {
  const { inspectServer } = await import("../../storage/postgres/inspect-server.ts");
  const server = await inspectServer(url);
  const { version, latencyMs, durable, freeConnections, waiting, bloated } = server;
  const findings: Finding[] = [];
  if (server.versionNumber < OLDEST_VERSION) {
    findings.push(wrong("database", `PostgreSQL ${version} is too old`, "Use PostgreSQL 14 or later."));
  }
  for (const [name, isOn] of Object.entries(durable)) {
    if (isOn) continue;
    const lost = `${name} is off: a crash of the server loses what was acknowledged`;
    findings.push(wrong("database", lost, `On the server: ALTER SYSTEM SET ${name} = on; SELECT pg_reload_conf();`));
  }
  if (latencyMs > SLOW_MS) {
    const slow = `a round trip to the server takes ${latencyMs.toFixed(1)} ms`;
    findings.push(warning("database", slow, "Run the daemon in the network of the server."));
  }
  if (freeConnections < FEW_CONNECTIONS) {
    const few = `the server has ${freeConnections} connections left; each daemon needs up to 7`;
    findings.push(warning("database", few, "Raise max_connections."));
  }
  for (const each of waiting) {
    findings.push(warning("database", each, "See what that session does: SELECT * FROM pg_stat_activity"));
  }
  for (const table of bloated) {
    const dead = `most rows of ${table} are dead`;
    findings.push(warning("database", dead, `Let autovacuum run, or: VACUUM ${table}`));
  }
  if (findings.some(({ state }) => state === "problem")) return findings;
  const state = server.hasStore ? "is sound" : "answers, and holds no data of this project yet";
  const how = `PostgreSQL ${version}, ${latencyMs.toFixed(1)} ms${server.isEncrypted ? ", encrypted" : ""}`;
  return [...findings, fine("database", `${server.shown} ${state}: ${how}`)];
}
