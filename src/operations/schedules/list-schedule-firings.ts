import * as contract from "../../contract/schedules.ts";
import type { ScheduleFiringView } from "../../contract/schedules.ts";
import { SYSTEM } from "../../domain/message/message.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { formatTarget, targetSpace } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";
import { findSchedule } from "./found-schedule.ts";
import { parseScheduleTarget } from "./schedule-target.ts";
import { scheduleWakes } from "./schedule-wakes.ts";

/** How many of the last messages of a space are looked through. */
const LOOKED_THROUGH = 2_000;

/** A firing is a message of its own kind; nothing else is stored about it. */
export const listScheduleFirings = query(contract.listScheduleFirings, {
  access: persons,

  async execute({ target, limit }, ctx) {
    const { definitions } = ctx.services;
    await definitions.refresh();
    const parsed = parseScheduleTarget(target);
    if (!parsed.ok) return parsed;
    const known = await checkKnown(ctx, parsed.value.target);
    if (!known.ok) return known;
    return ctx.read(async (store) => {
      const found = await findSchedule(store, target);
      // It may just have been cleared.
      if (!found.ok) return ok({ target: formatTarget(parsed.value.target), firings: [] });
      const { schedule, shown } = found.value;
      const { recipients } = await scheduleWakes(store, definitions, schedule, await store.schedules.list());
      const spaces = new Set(recipients.map((recipient) => formatSpace(targetSpace(recipient.target))));
      const agents = new Set(
        recipients.map((recipient) => ("agent" in recipient.target ? recipient.target.agent : "")),
      );
      const firings: ScheduleFiringView[] = [];
      for (const space of spaces) firings.push(...(await firingsIn(store, space, agents)));
      const newest = firings.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, limit);
      return ok({ target: shown, firings: newest });
    });
  },
});

async function firingsIn(store: StoreReads, space: string, agents: ReadonlySet<string>): Promise<ScheduleFiringView[]> {
  const messages = await store.messages.page({ space, limit: LOOKED_THROUGH });
  const prompts = messages.filter(({ kind, sender }) => kind === "prompt" && sender === SYSTEM);
  const firings: ScheduleFiringView[] = [];
  for (const { id, createdAt } of prompts) {
    for (const { agent, state, run } of await store.deliveries.ofMessage(id)) {
      if (!agents.has(agent)) continue;
      firings.push({ at: new Date(createdAt).toISOString(), agent, space, message: id, state: state.status, run });
    }
  }
  return firings;
}
