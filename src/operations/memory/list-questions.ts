import * as contract from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findAgent } from "../agents/find-agent.ts";

export const listQuestions = query(contract.listQuestions, {
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
