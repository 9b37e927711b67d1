import * as contract from "../../contract/agents.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { checkIdle } from "./check-idle.ts";

/**
 * Writes the definition of an ephemeral agent to a file; the ephemeral agent is removed. Its direct messages, and what its
 * engine knows of them, belong to the new agent.
 */
export const promoteAgent = proposal(contract.promoteAgent, {
  access: persons,

  async prepare({ from, name }, ctx) {
    const { definitions, trust } = ctx.services;
    const idle = await checkIdle(ctx, from);
    if (!idle.ok) return idle;
    const working = (await ctx.read((store) => store.runs.unfinished())).some(
      ({ mailbox, state }) => mailbox === from && state === "open",
    );
    if (working) {
      return refuse("conflict", `${from} is at work.`, {
        hint: `Wait until it is done, or stop it: agent-worker stop ${from}`,
      });
    }
    const definition = definitions.agent(from);
    const promoted = await definitions.promote(from, name);
    if (promoted.ok && definition !== undefined) trust.acceptAgent({ ...definition, name }, "kept");
    return promoted;
  },

  async execute({ from, name }, ctx, { file }) {
    await ctx.store.conversations.promote(from, name);
    ctx.wake(name);
    await ctx.emit({ type: "agent.promoted", agent: name, from });
    return ok({ name, file, from });
  },
});
