import * as contract from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";

export const listQuestions = query(contract.listQuestions, {
  access: persons,

  async execute({ agent, limit }, ctx) {
    const found = await findAgent(ctx.services.definitions, agent);
    if (!found.ok) return found;
    const questions = await ctx.read((store) => store.memories.questions(agent, limit));
    return ok({
      agent,
      questions: questions.map(({ at, ...question }) => ({ ...question, at: new Date(at).toISOString() })),
    });
  },
});
