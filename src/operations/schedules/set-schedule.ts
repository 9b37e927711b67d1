import * as contract from "../../contract/schedules.ts";
import type { Target } from "../../domain/message/target.ts";
import { nextFire, parseWakeup } from "../../domain/schedule/schedule.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import { callerName, persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { parseScheduleTarget, scheduleRecipients } from "./schedule-target.ts";
import { toScheduleView } from "./view.ts";

/**
 * One schedule for each target; setting it again replaces it and starts it anew. The workspace need not run: a schedule
 * outlives the workspaces it is about.
 */
export const setSchedule = proposal(contract.setSchedule, {
  access: persons,

  async prepare(_data, ctx) {
    await ctx.services.definitions.refresh();
    return ok(undefined);
  },

  async execute(data, ctx) {
    const parsed = parseScheduleTarget(data.target);
    if (!parsed.ok) return parsed;
    const { target, key } = parsed.value;
    const exists = checkTarget(ctx.services.definitions, target);
    if (!exists.ok) return exists;
    const wakeup = parseWakeup(data.wakeup, data.timeZone);
    if (!wakeup.ok) return wakeup;
    const nextAt = nextFire(wakeup.value, { nowMs: ctx.now });
    if (nextAt === null) {
      return refuse("invalid", `"${data.wakeup}" never occurs again.`, { hint: "Choose a time that lies ahead." });
    }
    const prompt = data.prompt?.trim() ?? "";
    const schedule: ScheduleRecord = {
      id: ctx.newId("sch"),
      target: key,
      wakeup: wakeup.value,
      prompt: prompt === "" ? null : ctx.services.redact(prompt),
      nextAt,
      lastFiredAt: null,
      createdBy: callerName(ctx.caller),
      createdAt: ctx.now,
    };
    await ctx.store.schedules.set(schedule);
    await ctx.emit({ type: "schedule.set", target: key });
    return ok(
      toScheduleView(schedule, await scheduleRecipients(ctx.store, schedule, await ctx.store.schedules.list())),
    );
  },
});

function checkTarget(definitions: Definitions, target: Target): Result<unknown, Refusal> {
  if (target.kind === "dm") {
    if (definitions.agent(target.agent) !== undefined) return ok(target);
    const known = definitions.agents().map(({ name }) => name);
    return refuse("not_found", `There is no agent called "${target.agent}".`, {
      hint: hintForUnknown(target.agent, known, "agents"),
    });
  }
  const workflow = definitions.workflow(target.workflow);
  if (workflow === undefined) {
    const known = definitions.workflows().map(({ name }) => name);
    return refuse("not_found", `There is no workflow called "${target.workflow}".`, {
      hint: hintForUnknown(target.workflow, known, "workflows"),
    });
  }
  if (target.kind === "channel") return ok(target);
  return checkParticipant({ ...target, running: true, participants: Object.keys(workflow.agents) }, target.agent);
}
