import { z } from "zod";
import { feedbackView } from "../../contract/feedback.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const listFeedback = query({
  name: "list-feedback",
  summary: "List what agents said about the work itself, newest first.",
  input: z.object({ limit: z.int().min(1).max(500).default(50) }),
  output: z.object({ feedback: z.array(feedbackView) }),
  access: persons,

  async answer({ limit }, ctx) {
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
