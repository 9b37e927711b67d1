import * as contract from "../../contract/activity/run-calls.ts";
import type { RunCallsView } from "../../contract/activity/run-calls.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { parseTarget, targetSpace } from "../../domain/message/target.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { checkKnown } from "../core/known-target.ts";

export const listCalls = query(contract.listCalls, {
  access: persons,

  async execute({ target, before, limit }, ctx) {
    const parsed = parseTarget(target);
    if (!parsed.ok) return parsed;
    const space = formatSpace(targetSpace(parsed.value));
    const { runs, next } = await ctx.read(async (store) => {
      const listed = await store.history.list({ space, limit, ...(before === undefined ? {} : { before }) });
      const views: RunCallsView[] = [];
      for (const { id, agent, state, startedAt } of listed) {
        const steps = (await store.history.steps(id)).filter(({ calls }) => calls.length > 0);
        if (steps.length === 0) continue;
        views.push({
          run: id,
          agent,
          ended: state === "ended",
          startedAt: new Date(startedAt).toISOString(),
          steps: steps.map(({ number, finishedAt, calls }) => ({
            number,
            finishedAt: new Date(finishedAt).toISOString(),
            calls: calls.map((call) => ({ ...call })),
          })),
        });
      }
      return { runs: views, next: listed.length < limit ? null : (listed.at(-1)?.id ?? null) };
    });
    if (runs.length === 0) {
      const known = await checkKnown(ctx, parsed.value);
      if (!known.ok) return known;
    }
    return ok({ runs, next });
  },
});
