import * as contract from "../../contract/schedules.ts";
import { formatTarget } from "../../domain/message/target.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { DEFINED, parseScheduleTarget } from "./schedule-target.ts";

export const clearSchedule = proposal(contract.clearSchedule, {
  access: persons,

  async execute(data, ctx) {
    const parsed = parseScheduleTarget(data.target);
    if (!parsed.ok) return parsed;
    const shown = formatTarget(parsed.value.target);
    if ((await ctx.store.schedules.byTarget(parsed.value.key))?.createdBy === DEFINED) {
      return refuse("conflict", `The schedule of ${shown} is written in its definition.`, {
        hint: "Take it out of the file; or set another one, which holds instead until it is cleared.",
      });
    }
    if (!(await ctx.store.schedules.clear(parsed.value.key))) {
      return refuse("not_found", `There is no schedule for ${shown}.`, { hint: "See: agent-worker schedule" });
    }
    await ctx.emit({ type: "schedule.cleared", target: parsed.value.key });
    return ok({ target: shown });
  },
});
