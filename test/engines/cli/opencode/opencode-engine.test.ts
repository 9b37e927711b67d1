import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCliEngine } from "../../../../src/engines/cli/cli-engine.ts";
import { opencodeDialect } from "../../../../src/engines/cli/opencode/opencode-dialect.ts";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { silentLog } from "../../../../src/testing/silent-log.ts";
import { endOf, failureOf, openSession, stepOf } from "../../../../src/testing/engine-steps.ts";
import { recordingTools } from "../../../../src/testing/recording-tools.ts";
import { installProgram } from "../../../support/engine/plain-cli.ts";
import { processesWith } from "../../../support/process/processes-with.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const stream = (name: string): string => join(import.meta.dirname, `../../../fixtures/streams/opencode-${name}.jsonl`);
const agent = { name: "alice", prompt: { system: "unused" }, backend: "opencode" } as const;

/** One turn of a program that does as the script says. */
async function turn(script: string) {
  using folder = temporaryFolder();
  const PATH = installProgram(folder.path, "opencode", script);
  const env = { PATH, HOME: folder.path, OPENAI_API_KEY: "k", DAEMON_SECRET: "s" };
  const engine = createCliEngine(opencodeDialect, { clock: systemClock, log: silentLog, env });
  try {
    await using session = await openSession({ engine, agent, cwd: folder.path }, recordingTools());
    return await stepOf(session, 1, "Go.");
  } finally {
    expect(processesWith(folder.path)).toEqual([]);
  }
}

describe("opencode engine", () => {
  it("ends a program that would try for ever [engine.error-result]", async () => {
    const failed = await failureOf(() => turn(`cat "${stream("overflow-for-ever")}"; sleep 600`));
    expect(failed).toMatchObject({ class: "permanent", message: expect.stringContaining("prompt is too long") });
  });

  it("believes an answer after an error that was overcome, and not one with another exit code [engine.error-result]", async () => {
    expect(endOf(await turn(`cat "${stream("overflow-recovered")}"; exit 1`)).text).toBe("All done.");
    expect(await failureOf(() => turn(`cat "${stream("tool-call")}"; exit 1`))).toMatchObject({ class: "crash" });
  });

  it("passes its own variables on and no other [engine.env-allow-list]", async () => {
    const script = `[ "$OPENAI_API_KEY" = k ] && [ -z "$DAEMON_SECRET" ] && cat "${stream("tool-call")}"`;
    expect(endOf(await turn(script)).text).toBe("All done.");
  });
});
