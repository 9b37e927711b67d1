import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCliEngine } from "../../../../src/engines/cli/cli-engine.ts";
import { cursorDialect } from "../../../../src/engines/cli/cursor/cursor-dialect.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { silentLog } from "../../../../src/testing/silent-log.ts";
import { engineCases, type EngineRig, type StartedEngine } from "../../../../src/testing/engine-conformance.ts";
import { endOf, openSession, stepOf } from "../../../../src/testing/engine-steps.ts";
import { recordingTools } from "../../../../src/testing/recording-tools.ts";
import { installProgram } from "../../../support/engine/plain-cli.ts";
import { withTools } from "../../../support/engine/with-tools.ts";
import { processesWith } from "../../../support/process/processes-with.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const STAND_IN = join(import.meta.dirname, "../../../support/engine/cursor-stand-in-process.ts");

function start(moves: readonly unknown[], isInstalled: boolean): StartedEngine {
  const folder = temporaryFolder();
  writeFileSync(folder.in("moves.json"), JSON.stringify(moves));
  const script = `exec "${process.execPath}" "${STAND_IN}" "${folder.path}" "$@"`;
  const PATH = installProgram(folder.path, "cursor-agent", script);
  const env = { HOME: folder.path, PATH: isInstalled ? PATH : "/nonexistent" };
  return {
    engine: withTools(createCliEngine(cursorDialect, { clock: systemClock, log: silentLog, env })),
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

describe("cursor engine on a stand-in [engine.one-interface] [engine.cursor]", () => {
  it.each(engineCases(rig))("$name", async ({ run }) => {
    await expect(run(rig)).resolves.toBeUndefined();
  });

  it("is given the system prompt with the first prompt of a session, and 300 KB [engine.system-prompt] [engine.resume]", async () => {
    await using started = await rig.start([{ say: "One." }, { say: "Two." }]);
    const prompt = `${"word ".repeat(60_000)}END`;
    const read = () => readFileSync(join(started.cwd, "moves.json.prompt"), "utf8");
    let transcript: string;
    {
      await using session = await openSession(started, recordingTools());
      transcript = endOf(await stepOf(session, 1, prompt)).transcript;
      expect(read()).toBe(`<instructions>\nYou are one of a team.\n</instructions>\n\n${prompt}`);
    }
    await using next = await openSession(started, recordingTools(), { previous: async () => transcript });
    await stepOf(next, 1, "And now?");
    expect(read()).toBe("And now?");
  });
});
