import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentDefinition } from "../../../src/domain/agent/definition.ts";
import { createAcpEngine, type AcpEngineOptions } from "../../../src/engines/acp/acp-engine.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import type { StartedEngine } from "../../../src/testing/engine-conformance.ts";
import { processesWith } from "../process/processes-with.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import type { AcpMove, Traits } from "./stand-in-acp-agent.ts";
import { withTools } from "./with-tools.ts";

const STAND_IN = join(import.meta.dirname, "stand-in-acp-agent.ts");

export interface AcpRig extends StartedEngine {
  /** What the agent was asked, in order. */
  asked(): readonly { readonly method: string; readonly params: never }[];
}

/** The acp engine with a stand-in that plays these moves. */
export function startAcpRig(
  moves: readonly AcpMove[],
  {
    traits = {},
    agent = {},
    ...options
  }: { readonly traits?: Traits; readonly agent?: Partial<AgentDefinition> } & Partial<AcpEngineOptions> = {},
): AcpRig {
  const folder = temporaryFolder();
  const script = folder.in("moves.json");
  writeFileSync(script, JSON.stringify(moves));
  const env = { HOME: folder.path, PATH: process.env.PATH ?? "", DAEMON_SECRET: "not-for-children" };
  const log = `${script}.log`;
  return {
    engine: withTools(createAcpEngine({ clock: systemClock, log: silentLog, env, ...options })),
    agent: {
      name: "alice",
      prompt: { system: "unused" },
      backend: "acp",
      command: [process.execPath, STAND_IN, folder.path],
      ...agent,
      env: { STAND_IN: script, STAND_IN_TRAITS: JSON.stringify(traits), ...agent.env },
    },
    cwd: folder.path,
    left: async () => processesWith(folder.path).length,
    asked: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as { method: string; params: never })
        : [],
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}
