import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { callerName, everyone } from "../core/access.ts";
import { proposal } from "../core/define.ts";

/** For the people who run the team, not for the channel: missing tools, unclear instructions, ideas. */
export const submitFeedback = proposal({
  name: "submit-feedback",
  summary: "Tell the people who run this team what is missing, unclear or could be better about the work itself.",
  input: z.object({
    type: z.enum(["bug", "missing", "unclear", "idea"]).describe("What kind of remark it is."),
    description: z.string().trim().min(1, "there is nothing to say").max(8000),
  }),
  output: z.object({ id: z.string() }),
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
