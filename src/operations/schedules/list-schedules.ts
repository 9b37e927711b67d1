import * as contract from "../../contract/schedules.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { parseScheduleTarget } from "./schedule-target.ts";
import { scheduleWakes } from "./schedule-wakes.ts";
import { toScheduleView } from "./view.ts";

export const listSchedules = query(contract.listSchedules, {
  access: persons,

  async execute(data, ctx) {
    const parsed = data.target === undefined ? undefined : parseScheduleTarget(data.target);
    if (parsed?.ok === false) return parsed;
    const { definitions } = ctx.services;
    await definitions.refresh();
    const views = await ctx.read(async (store) => {
      const schedules = await store.schedules.list();
      const found = [];
      for (const schedule of schedules) {
        if (parsed !== undefined && schedule.target !== parsed.value.key) continue;
        found.push(toScheduleView(schedule, await scheduleWakes(store, definitions, schedule, schedules)));
      }
      return found;
    });
    if (views.length === 0 && parsed !== undefined) {
      const known = await checkKnown(ctx, parsed.value.target);
      if (!known.ok) return known;
    }
    return ok({ schedules: views });
  },
});
