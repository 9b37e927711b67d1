import * as contract from "../../contract/feedback.ts";
import { ok } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** Feedback is for the people who run the team, so it is not posted in the channel. */
export const submitFeedback = proposal(contract.submitFeedback, {
  access: everyone,

  async execute({ type, description }, ctx) {
    const { caller } = ctx;
    const id = ctx.newId("fbk");
    const agent = callerName(caller);
    const space = caller.kind === "agent" ? caller.space : "";
    const run = caller.kind === "agent" ? caller.run : null;
    const text = ctx.services.redact(description);
    await ctx.store.feedback.add({ id, agent, space, run, type, description: text, createdAt: ctx.now });
    await ctx.emit({ type: "feedback.submitted", space, agent, feedback: id });
    return ok({ id });
  },
});
