import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

/** The official conformance suite, installed apart: `npm ci --prefix test/conformance`, or wherever the variable says. */
const FOLDER = process.env["AGENT_WORKER_TEST_CONFORMANCE"] ?? join(import.meta.dirname, "../../conformance");
const SUITE = join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

export const conformanceInstalled = existsSync(SUITE);

export const CONFORMANCE_VERSIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;

export interface ConformanceResult {
  /** Check by check, as `scenario: check`. */
  readonly passed: readonly string[];
  readonly failed: ReadonlyMap<string, string>;
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Every scenario for servers that the suite has for this version of the protocol. */
export async function runConformance(url: string, version: string): Promise<ConformanceResult> {
  using folder = temporaryFolder();
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", version, "-o", folder.path];
  const child = spawn(process.execPath, [SUITE, ...args], { cwd: folder.path, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (said += text.toString()));
  await once(child, "close");
  const scenarios = readdirSync(folder.path).filter((name) => existsSync(folder.in(join(name, "checks.json"))));
  if (scenarios.length === 0) throw new Error(`the suite ran nothing: ${said.slice(-2_000)}`);

  const passed: string[] = [];
  const failed = new Map<string, string>();
  for (const name of scenarios) {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
    const checks = JSON.parse(readFileSync(folder.in(join(name, "checks.json")), "utf8")) as Check[];
    for (const { id, status, errorMessage = "" } of checks) {
      if (status === "SUCCESS") passed.push(`${scenario}: ${id}`);
      if (status === "FAILURE") failed.set(`${scenario}: ${id}`, errorMessage);
    }
  }
  return { passed, failed };
}
