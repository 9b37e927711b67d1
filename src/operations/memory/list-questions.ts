import * as contract from "../../contract/memory.ts";
import { ok } from "../../kernel/result.ts";
import { everyone } from "../core/access.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

/** A person sees the questions about every agent, an agent those about itself. */
export const listQuestions = query(contract.listQuestions, {
  access: everyone,

  async execute({ agent: named, limit }, ctx) {
    const owner = await personalOwner(ctx, named);
    if (!owner.ok) return owner;
    const { agent } = owner.value;
    const questions = await ctx.read((store) => store.memories.questions(agent, limit));
    return ok({
      agent,
      questions: questions.map(({ at, ...question }) => ({ ...question, at: new Date(at).toISOString() })),
    });
  },
});
