import * as contract from "../../contract/feedback.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const listFeedback = query(contract.listFeedback, {
  access: persons,

  async execute({ limit }, ctx) {
    const feedback = await ctx.read((store) => store.feedback.list(limit));
    return ok({
      feedback: feedback.map(({ id, agent, space, type, description, createdAt }) => ({
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
