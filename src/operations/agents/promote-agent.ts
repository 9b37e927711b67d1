import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { checkIdle } from "./check-idle.ts";

/** Writes the definition of an ephemeral agent to a file; the ephemeral agent is removed. */
export const promoteAgent = proposal(contract.promoteAgent, {
  access: persons,

  async prepare({ from, name }, ctx) {
    const { definitions, trust } = ctx.services;
    const idle = await checkIdle(ctx, from);
    if (!idle.ok) return idle;
    const definition = definitions.agent(from);
    const promoted = await definitions.promote(from, name);
    if (promoted.ok && definition !== undefined) trust.acceptAgent({ ...definition, name }, "kept");
    return promoted;
  },

  async execute({ from, name }, ctx, { file }) {
    await ctx.emit({ type: "agent.promoted", agent: name, from });
    return ok({ name, file, from });
  },
});
