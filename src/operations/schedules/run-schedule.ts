import * as contract from "../../contract/schedules.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { postPrompt } from "./fire-schedules.ts";
import { findSchedule } from "./found-schedule.ts";
import { scheduleWakes } from "./schedule-wakes.ts";

/** Wakes once whom the schedule wakes, also while it is paused. An interval then begins anew, as after every run. */
export const runSchedule = proposal(contract.runSchedule, {
  access: persons,

  async prepare(_data, ctx) {
    await ctx.services.definitions.refresh();
    return ok(undefined);
  },

  async execute({ target }, ctx) {
    const found = await findSchedule(ctx.store, target);
    if (!found.ok) return found;
    const { schedule, shown } = found.value;
    const { recipients, rests } = await scheduleWakes(
      ctx.store,
      ctx.services.definitions,
      schedule,
      await ctx.store.schedules.list(),
    );
    if (recipients.length === 0) {
      return refuse("conflict", `The schedule of ${shown} wakes nobody now. ${rests ?? ""}`.trim(), {
        hint: "Start its workspace, or see: agent-worker schedule",
      });
    }
    for (const recipient of recipients) await postPrompt(ctx, recipient, schedule);
    await ctx.store.schedules.set({ ...schedule, lastFiredAt: ctx.now });
    await ctx.emit({ type: "schedule.set", target: schedule.target });
    return ok({ target: shown, woken: recipients.map(({ mailbox, target: place }) => agentAt(place, mailbox)) });
  },
});

function agentAt(place: { readonly kind: string; readonly agent?: string }, mailbox: string): string {
  return place.agent ?? mailbox;
}
