import * as contract from "../../contract/schedules.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import { nextFire, parseWakeup } from "../../domain/schedule/schedule.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { ScheduleRecord } from "../../ports/store/schedule.ts";
import { callerName, persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { redactOptional } from "../core/redact-texts.ts";
import { parseScheduleTarget } from "./schedule-target.ts";
import { scheduleWakes } from "./schedule-wakes.ts";
import { toScheduleView } from "./view.ts";

/**
 * A target has one schedule: setting it again replaces and restarts it. The workspace need not be running, because
 * schedules outlive workspaces.
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
    const { file = null } = (await ctx.store.workspaces.status(formatSpace(targetSpace(target)))) ?? {};
    const exists = checkTarget(ctx.services.definitions, target, file);
    if (!exists.ok) return exists;
    const wakeup = parseWakeup(data.wakeup, data.timeZone);
    if (!wakeup.ok) return wakeup;
    const nextAt = nextFire(wakeup.value, { nowMs: ctx.now });
    if (nextAt === null) {
      return refuse("invalid", `"${data.wakeup}" never occurs again.`, { hint: "Choose a time that lies ahead." });
    }
    const schedule: ScheduleRecord = {
      id: ctx.newId("sch"),
      target: key,
      wakeup: wakeup.value,
      prompt: redactOptional(data.prompt, ctx.services.redact),
      nextAt,
      lastFiredAt: null,
      pausedAt: null,
      createdBy: callerName(ctx.caller),
      createdAt: ctx.now,
    };
    await ctx.store.schedules.set(schedule);
    await ctx.emit({ type: "schedule.set", target: key });
    const schedules = await ctx.store.schedules.list();
    return ok(toScheduleView(schedule, await scheduleWakes(ctx.store, ctx.services.definitions, schedule, schedules)));
  },
});

function checkTarget(definitions: Definitions, target: Target, file: string | null): Result<unknown, Refusal> {
  if (target.kind === "dm") {
    if (definitions.agent(target.agent) !== undefined) return ok(target);
    const names = definitions.agents().map(({ name }) => name);
    return refuse("not_found", `There is no agent called "${target.agent}".`, {
      hint: hintForUnknown(target.agent, names, "agents"),
      details: { kind: "agent", name: target.agent },
    });
  }
  const workflow = definitions.workflow(target.workflow, file);
  if (workflow === undefined) {
    const names = definitions.workflows().map(({ name }) => name);
    return refuse("not_found", `There is no workflow called "${target.workflow}".`, {
      hint: hintForUnknown(target.workflow, names, "workflows"),
      details: { kind: "workflow", name: target.workflow },
    });
  }
  if (target.kind === "channel") return ok(target);
  return checkParticipant({ ...target, running: true, participants: Object.keys(workflow.agents) }, target.agent);
}
