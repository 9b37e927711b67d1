import { describe, expect, it } from "vitest";
import { person, systemCaller } from "../../../src/kernel/caller.ts";
import { clearSchedule } from "../../../src/operations/schedules/clear-schedule.ts";
import { fireSchedules } from "../../../src/operations/schedules/fire-schedules.ts";
import { listScheduleFirings } from "../../../src/operations/schedules/list-schedule-firings.ts";
import { listSchedules } from "../../../src/operations/schedules/list-schedules.ts";
import { pauseSchedule } from "../../../src/operations/schedules/pause-schedule.ts";
import { resumeSchedule } from "../../../src/operations/schedules/resume-schedule.ts";
import { runSchedule } from "../../../src/operations/schedules/run-schedule.ts";
import { setSchedule } from "../../../src/operations/schedules/set-schedule.ts";
import { syncSchedules } from "../../../src/operations/schedules/sync-schedules.ts";
import { callOk, callRefused, openTestProject } from "../../support/team/project.ts";
import { agentFile, agentIn, openTeam, REVIEW } from "../../support/team/team.ts";

const FIVE_MINUTES = 300_000;

describe("pausing a schedule", () => {
  it("[schedule.pause] wakes nobody while it is paused, also after a restart, and makes up for nothing", async () => {
    await using first = await openTeam();
    await callOk(first, person, setSchedule, { target: "alice", wakeup: "5m", prompt: "Look." });
    expect(await callOk(first, person, pauseSchedule, { target: "alice" })).toMatchObject({
      paused: true,
      state: "resting",
      reason: "A person paused it.",
      nextAt: null,
    });
    await using project = await first.reopen();
    project.clock.advance(3 * FIVE_MINUTES);
    expect(await callOk(project, systemCaller, fireSchedules, {})).toEqual({ fired: [], next: null });
    await callOk(project, person, resumeSchedule, { target: "alice" });
    expect((await callOk(project, systemCaller, fireSchedules, {})).fired).toEqual([]);
    project.clock.advance(FIVE_MINUTES);
    expect((await callOk(project, systemCaller, fireSchedules, {})).fired).toEqual(["alice"]);
  });

  it("[schedule.pause] holds for a schedule of a definition, which is still the file's", async () => {
    const files = agentFile("sam", "schedule: { wakeup: 5m }\n");
    await using project = await openTestProject({ files });
    await callOk(project, systemCaller, syncSchedules, {});
    await callOk(project, person, pauseSchedule, { target: "sam" });
    await callOk(project, systemCaller, syncSchedules, {});
    const { schedules } = await callOk(project, person, listSchedules, {});
    expect(schedules).toMatchObject([{ target: "sam", paused: true, defined: true }]);
    expect((await callRefused(project, person, clearSchedule, { target: "sam" })).code).toBe("conflict");
  });

  it("[schedule.pause] runs it now, once, and lists when it woke whom", async () => {
    await using project = await openTeam();
    await callOk(project, person, setSchedule, { target: "alice", wakeup: "5m", prompt: "Look." });
    await callOk(project, person, pauseSchedule, { target: "alice" });
    expect(await callOk(project, person, runSchedule, { target: "alice" })).toEqual({
      target: "alice",
      woken: ["alice"],
    });
    const { firings } = await callOk(project, person, listScheduleFirings, { target: "alice" });
    expect(firings).toMatchObject([{ agent: "alice", space: "alice", state: "pending", run: null }]);
    expect((await callRefused(project, person, runSchedule, { target: "bob" })).code).toBe("not_found");
    for (const operation of [pauseSchedule, resumeSchedule, runSchedule]) {
      const refused = await callRefused(project, agentIn(REVIEW, "alice"), operation, { target: "alice" });
      expect(refused.code).toBe("forbidden");
    }
  });
});
