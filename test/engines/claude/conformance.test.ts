import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createClaudeEngine } from "../../../src/engines/claude/claude-engine.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/kernel/log.ts";
import type { Engine } from "../../../src/ports/engine.ts";
import { engineConformance, type EngineRig, type StartedEngine } from "../../support/engine-conformance.ts";
import { installProgram } from "../../support/plain-cli.ts";
import { processesWith } from "../../support/processes-with.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startToolServer } from "../../support/tool-server.ts";

const STAND_IN = join(import.meta.dirname, "../../support/stand-in-claude.ts");

/** The daemon's part: while a session is open, its tools can be reached. */
function withTools(engine: Engine): Engine {
  return {
    name: engine.name,
    open: async (spec, signal) => {
      const endpoint = await startToolServer(spec.tools);
      const session = await engine.open({ ...spec, endpoint }, signal);
      return {
        step: (input, stepSignal) => session.step(input, stepSignal),
        [Symbol.asyncDispose]: async () => {
          await session[Symbol.asyncDispose]();
          await endpoint[Symbol.asyncDispose]();
        },
      };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

function start(moves: readonly unknown[], isInstalled: boolean): StartedEngine {
  const folder = temporaryFolder();
  writeFileSync(folder.in("moves.json"), JSON.stringify(moves));
  const PATH = installProgram(folder.path, "claude", `exec "${process.execPath}" "${STAND_IN}" "${folder.path}" "$@"`);
  const env = { HOME: folder.path, PATH: isInstalled ? PATH : "/nonexistent" };
  const engine = withTools(createClaudeEngine({ clock: systemClock, log: silentLog, env }));
  return {
    engine,
    agent: { name: "alice", prompt: { system: "unused" }, env: { STAND_IN: folder.in("moves.json") } },
    cwd: folder.path,
    left: async () => processesWith(folder.path).length,
    [Symbol.asyncDispose]: async () => folder[Symbol.dispose](),
  };
}

const rig: EngineRig = {
  start: async (moves) => start(moves, true),
  startBroken: async () => start([], false),
  skip: {
    "a call that needs approval parks the run, and is made again under its id":
      "The tools a command line gets over MCP need no approval, and its own follow its permissions.",
  },
};

const named = engineConformance.map((one) => [one.name, one] as const);

describe("claude engine on a stand-in [engine.one-interface] [engine.claude]", () => {
  it.each(named.filter(([name]) => rig.skip?.[name] === undefined))("%s", async (_name, { run }) => {
    expect.hasAssertions();
    await run(rig);
  });
});
