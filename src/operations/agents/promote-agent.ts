import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { checkDetached } from "./check-detached.ts";
import { proposal } from "../core/define.ts";

/** Afterwards the ephemeral agent is gone: it is the new one now. */
export const promoteAgent = proposal(contract.promoteAgent, {
  access: persons,

  async prepare({ from, name }, ctx) {
    const free = await checkDetached(ctx, from);
    return free.ok ? ctx.services.definitions.promote(from, name) : free;
  },

  async execute({ from, name }, ctx, { file }) {
    await ctx.emit({ type: "agent.promoted", agent: name, from });
    return ok({ name, file, from });
  },
});
