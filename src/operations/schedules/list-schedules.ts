import * as contract from "../../contract/schedules.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
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
    return ctx.read(async (store) => {
      const schedules = await store.schedules.list();
      const views = [];
      for (const schedule of schedules) {
        if (parsed !== undefined && schedule.target !== parsed.value.key) continue;
        views.push(toScheduleView(schedule, await scheduleWakes(store, definitions, schedule, schedules)));
      }
      return ok({ schedules: views });
    });
  },
});
