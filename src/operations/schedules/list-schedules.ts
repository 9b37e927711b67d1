import * as contract from "../../contract/schedules.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { parseScheduleTarget, scheduleRecipients } from "./schedule-target.ts";
import { toScheduleView } from "./view.ts";

export const listSchedules = query(contract.listSchedules, {
  access: persons,

  async answer(data, ctx) {
    const wanted = data.target === undefined ? undefined : parseScheduleTarget(data.target);
    if (wanted?.ok === false) return wanted;
    const schedules = (await ctx.readEverywhere((store) => store.schedules.list())).flat();
    const shown = schedules.filter(({ target }) => wanted === undefined || target === wanted.value.key);
    const views = [];
    for (const schedule of shown) {
      const agents = await ctx.readEverywhere((store) => scheduleRecipients(store, schedule, schedules));
      views.push(toScheduleView(schedule, [...new Set(agents.flat())]));
    }
    return ok({ schedules: views });
  },
});
