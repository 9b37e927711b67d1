import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeDialect } from "../../../src/engines/cli/claude/claude-dialect.ts";
import { createCliEngine } from "../../../src/engines/cli/cli-engine.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import type { StartedEngine } from "../../../src/testing/engine-conformance.ts";
import { processesWith } from "../process/processes-with.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { installProgram } from "./plain-cli.ts";
import type { ClaudeDeed, ClaudeMove } from "./stand-in-claude.ts";
import { withTools } from "./with-tools.ts";

const STAND_IN = join(import.meta.dirname, "stand-in-claude.ts");

/** Installs a `claude` that plays what the agent's STAND_IN names. Answers the PATH that finds it. */
export function installStandInClaude(folder: string): string {
  return installProgram(folder, "claude", `exec "${process.execPath}" "${STAND_IN}" "${folder}" "$@"`);
}

export function claudeDeeds(script: string): readonly ClaudeDeed[] {
  const log = `${script}.log`;
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as ClaudeDeed);
}

export interface ClaudeRig extends StartedEngine {
  readonly deeds: () => readonly ClaudeDeed[];
}

/** The claude engine with a stand-in that plays these moves. */
export function startClaudeRig(
  moves: readonly ClaudeMove[],
  { isInstalled = true }: { readonly isInstalled?: boolean } = {},
): ClaudeRig {
  const folder = temporaryFolder();
  const script = folder.in("moves.json");
  writeFileSync(script, JSON.stringify(moves));
  const env = { HOME: folder.path, PATH: isInstalled ? installStandInClaude(folder.path) : "/nonexistent" };
  return {
    engine: withTools(createCliEngine(claudeDialect, { clock: systemClock, log: silentLog, env })),
    agent: { name: "alice", prompt: { system: "unused" }, env: { STAND_IN: script } },
    cwd: folder.path,
    left: async () => processesWith(folder.path).length,
    deeds: () => claudeDeeds(script),
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}
