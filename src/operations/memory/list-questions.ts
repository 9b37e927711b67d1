import { z } from "zod";
import { questionView } from "../../contract/recall.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findAgent } from "../agents/find-agent.ts";

export const listQuestions = query({
  name: "list-questions",
  summary: "List who asked what about an agent's memory, newest first.",
  input: z.object({ agent: z.string(), limit: z.int().min(1).max(500).default(50) }),
  output: z.object({ agent: z.string(), questions: z.array(questionView) }),
  access: persons,

  async answer({ agent, limit }, ctx) {
    const known = await findAgent(ctx.services.definitions, agent);
    if (!known.ok) return known;
    const questions = await ctx.read((store) => store.memories.questions(agent, limit));
    return ok({
      agent,
      questions: questions.map(({ at, ...question }) => ({ ...question, at: new Date(at).toISOString() })),
    });
  },
});
