import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import type { Log } from "../../../src/kernel/log.ts";
import { checkpointStep } from "../../../src/operations/runs/checkpoint-step.ts";
import { pruneStore } from "../../../src/operations/storage/prune-store.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { runHolder, send } from "../../support/team/leased-run.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually } from "../../support/team/running-project.ts";
import { openTeam } from "../../support/team/team.ts";

const DAY_MS = 86_400_000;

describe("old data", () => {
  it("is removed in the background when it is old enough, and logged [retention.background]", async () => {
    const lines: string[] = [];
    const log: Log = { ...silentLog, info: (text) => void lines.push(text), with: () => log };
    await using project = await openTeam({ log });
    const { begin, step, succeed } = runHolder(project);
    const ids: string[] = [];
    for (const text of ["one", "two"]) {
      await send(project, "alice", text);
      const begun = await begin("alice");
      await step(begun, 1);
      await succeed(begun, "done");
      ids.push(begun.run.id);
    }
    const removed = (id = "") => project.store.read(({ history }) => history.detailsRemovedAt(id));
    const pass = async (ms: number): Promise<void> => {
      const before = project.clock.monotonic();
      project.clock.advance(ms);
      // A pass sleeps between its parts.
      for (let n = 0; n < 50; n += 1)
        await new Promise<void>((resolve) => setImmediate(() => resolve(project.clock.advance(50))));
      expect(project.clock.monotonic()).toBeGreaterThan(before);
    };
    await pass(DAY_MS);
    expect(await removed(ids[0])).toBeNull();
    await pass(31 * DAY_MS);
    await eventually("the first is removed", async () => (await removed(ids[0])) !== null);
    expect(await removed(ids[1])).toBeNull();
    await eventually("it is logged", () => {
      project.clock.advance(50);
      return lines.includes("old data was removed");
    });
  });

  it("is counted and removed in the same parts, however much there is", async () => {
    await using project = await openTeam({
      files: { "moniro.yaml": "retention: { transcripts: 1ms, events: 1ms }\n" },
    });
    const { begin, succeed } = runHolder(project);
    for (let n = 0; n < 120; n += 1) {
      await send(project, "alice", `number ${n}`);
      const begun = await begin("alice");
      const transcript = JSON.stringify(["x".repeat(n === 7 ? 9_000_000 : 1_000)]);
      await callOk(project, systemCaller, checkpointStep, {
        run: begun.run.id,
        space: begun.run.space,
        leaseOwner: "own_1",
        fence: begun.run.fence,
        step: { number: 1, transcript },
      });
      await succeed(begun, "done");
    }
    project.clock.advance(1_000);
    const all = async (dryRun: boolean) => {
      const sum = { runs: 0, bytes: 0, events: 0, parts: 0 };
      for (let after: string | undefined; ;) {
        const { pruned, next } = await callOk(project, person, pruneStore, {
          dryRun,
          ...(after === undefined ? {} : { after }),
        });
        sum.runs += pruned.transcripts.runs;
        sum.bytes += pruned.transcripts.bytes;
        sum.events += pruned.events.count;
        sum.parts += 1;
        if (next === null) return sum;
        after = next;
      }
    };
    const counted = await all(true);
    expect(counted).toMatchObject({ runs: 119 });
    const { parts, ...removed } = await all(false);
    expect(removed).toEqual({ runs: counted.runs, bytes: counted.bytes, events: counted.events });
    expect(parts).toBeGreaterThan(5);
    expect(await all(true)).toMatchObject({ runs: 0, bytes: 0, events: 0 });
  });
});
