import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { spawnSupport } from "../../support/process/spawned.ts";
import {
  giveBackgroundWork,
  LONG_STEPS,
  longWork,
  STEP_LOG,
  workDone,
  workSteps,
} from "../../support/team/long-work.ts";
import { eventually, openLiveTestProject, openLiveTestProjectIn } from "../../support/team/running-project.ts";
import { TEAM } from "../../support/team/team.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

function logged(dir: string): string[] {
  return readFileSync(`${dir}/${STEP_LOG}`, "utf8").trim().split("\n");
}

const ANSWERS = ["alice: the answer to the letter", "alice: the long work is done"];

describe("background work of ten steps", () => {
  it("gives way to a direct message after the step it is in, and goes on with the next [loop.yield] [loop.resume]", async () => {
    const clock = manualClock();
    const abortedInside: boolean[] = [];
    const engine = scriptedEngine(
      longWork(
        () => project.dir,
        async (kind, { number, signal }) => {
          if (kind === "work" && number === 3) await project.send("alice", "a letter");
          abortedInside.push(signal.aborted);
        },
      ),
    );
    await using project = await openLiveTestProject({ files: TEAM, engine, clock });
    await giveBackgroundWork(project, clock);
    await workDone(project);

    expect(logged(project.dir)).toEqual([...workSteps(1, 3), "letter 1", ...workSteps(4, LONG_STEPS)]);
    expect((await project.said("alice")).filter((line) => line.startsWith("alice:"))).toEqual(ANSWERS);
    expect(abortedInside).not.toContain(true);
    const [work, letter] = await project.runs();
    expect([work?.lane, letter?.lane]).toEqual(["background", "immediate"]);
    expect(engine.mostAtOnce).toBe(1);
  });

  it("goes on from its last finished step when the engine crashes in the third [retry.crash-once]", async () => {
    const clock = manualClock();
    let crashes = 0;
    const engine = scriptedEngine(
      longWork(
        () => project.dir,
        async (kind, { number, call }) => {
          await call("todo_add", { text: `${kind} ${number}` });
          if (number === 3 && crashes === 0) {
            crashes += 1;
            throw new EngineFailure("crash", "the engine was killed");
          }
        },
      ),
    );
    await using project = await openLiveTestProject({ files: TEAM, engine, clock });
    await giveBackgroundWork(project, clock);
    await eventually("the engine crashed", () => crashes === 1);
    await eventually("the work is done", async () => {
      clock.advance(500);
      return (await project.said("alice")).includes(ANSWERS[1] ?? "");
    });
    expect(logged(project.dir)).toEqual([...workSteps(1, 3), ...workSteps(3, LONG_STEPS)]);
    expect(await project.runs()).toHaveLength(1);
  });

  const kills = [
    {
      name: "while the direct message is answered",
      hangIn: "letter 1",
      steps: [...workSteps(1, 3), "letter 1", "letter 1", ...workSteps(4, LONG_STEPS)],
    },
    {
      name: "in the middle of its seventh step",
      hangIn: "work 7",
      steps: [...workSteps(1, 3), "letter 1", ...workSteps(4, 7), ...workSteps(7, LONG_STEPS)],
    },
  ];
  it.each(kills)(
    "killed $name, goes on without repeating a finished step [run.checkpoint] [run.recovery-scan]",
    async ({ hangIn, steps }) => {
      using folder = temporaryFolder();
      await using first = spawnSupport("long-work-process.ts", [folder.path, "begin", hangIn]);
      await first.line("hanging");
      first.kill();
      await first.ended;
      await using second = spawnSupport("long-work-process.ts", [folder.path, "resume"]);
      await second.line("done");
      await second.ended;

      expect(logged(folder.path)).toEqual(steps);
      await using project = await openLiveTestProjectIn(folder.path);
      expect((await project.said("alice")).filter((line) => line.startsWith("alice:"))).toEqual(ANSWERS);
    },
  );

  it("is done in bounded time under an endless stream of direct messages [loop.no-starvation]", async () => {
    const clock = manualClock();
    const LETTER_MS = 30_000;
    let letters = 0;
    let done = false;
    const engine = scriptedEngine(async ({ inbox }) => {
      if (inbox.includes("Do the long work.")) {
        done = true;
        return "done at last";
      }
      letters += 1;
      clock.advance(LETTER_MS);
      if (!done) await project.send("alice", `letter ${letters}`);
      return "";
    });
    await using project = await openLiveTestProject({ files: TEAM, engine, clock });
    await project.send("alice", "letter 0");
    await giveBackgroundWork(project, clock);
    await eventually("the work is done", () => done);
    // Ten minutes of waiting make it as urgent as any direct message.
    expect(letters).toBeLessThanOrEqual((10 * 60_000) / LETTER_MS + 1);
  });

  it("of a workspace in memory gives way to a direct message all the same", async () => {
    const files = {
      ...TEAM,
      ".workflows/scratch.yaml": "name: scratch\nagents: { alice: { ref: alice } }\nworkspace: { provider: memory }\n",
    };
    const order: string[] = [];
    const engine = scriptedEngine(async ({ inbox, number }) => {
      const kind = inbox.includes("slow") ? "slow" : "letter";
      order.push(`${kind} ${number}`);
      if (kind === "slow" && number === 2) await project.send("alice", "a letter");
      return kind === "slow" && number < 4 ? { more: true } : "";
    });
    await using project = await openLiveTestProject({ files, engine });
    await project.open("scratch");
    await project.send("alice@scratch", "slow");
    await project.quiet();
    expect(order).toEqual(["slow 1", "slow 2", "letter 1", "slow 3", "slow 4"]);
  });
});
