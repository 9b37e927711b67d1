import * as contract from "../../contract/feedback.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const listFeedback = query(contract.listFeedback, {
  access: persons,

  async answer({ limit }, ctx) {
    const found = (await ctx.readEverywhere((store) => store.feedback.list(limit))).flat();
    const newestFirst = found.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, limit);
    return ok({
      feedback: newestFirst.map(({ id, agent, space, type, description, createdAt }) => ({
        id,
        agent,
        space,
        type,
        description,
        at: new Date(createdAt).toISOString(),
      })),
    });
  },
});
