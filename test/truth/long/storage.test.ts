import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { startTestDaemon } from "../../support/daemon/daemon.ts";
import { runInstalled } from "../../support/daemon/installed-command.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentThatReads, longWork } from "../../support/storage/long-transcript.ts";

describe("what a run leaves in the store", () => {
  it("one run of 50 steps with results of 26 KB takes 2 MB at most, and goes on with everything after a kill [retention.steps]", async () => {
    const steps = 50;
    const work = longWork(steps);
    await using model = await startFakeModelServer(work.script);
    await using first = await startTestDaemon({ files: agentThatReads(model.url), env: { MODEL_KEY: "k" } });
    await runInstalled(["send", "reader", "Read it all."], { cwd: first.project, env: first.env });
    await model.received(20);
    await first.stop("SIGKILL");
    await using second = await first.restart({ env: { MODEL_KEY: "k" } });
    await model.received(steps);
    const shown = await runInstalled(["send", "reader", "And now?", "--wait"], {
      cwd: second.project,
      env: second.env,
    });
    expect(shown.out).toContain("I have read it all.");

    // The last call of the run had every result before it, also those from before the kill.
    expect(work.resultsSeen()).toBe(steps - 1);
    const db = new DatabaseSync(join(second.project, ".workspace/agent-worker.db"), { readOnly: true });
    const [largest] = db
      .prepare("SELECT sum(octet_length(transcript)) AS bytes FROM step GROUP BY run ORDER BY 1 DESC")
      .all();
    db.close();
    const result = readFileSync(join(second.project, "big.txt")).length;
    expect(Number(largest?.["bytes"])).toBeLessThan(steps * result * 1.2);
  });
});
