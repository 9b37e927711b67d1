import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { defineAgent } from "./define-agent.ts";

/**
 * Creates an agent in the daemon's memory, with a workflow of its own if asked for. It exists until the daemon stops, and
 * so do its direct messages. It begins without those of an earlier agent of its name.
 */
export const createEphemeralAgent = proposal(contract.createEphemeralAgent, {
  access: persons,

  async prepare({ name: requested, context, ...settings }, ctx) {
    const { definitions } = ctx.services;
    await definitions.refresh();
    const name = requested ?? definitions.nextEphemeralName();
    const definition = defineAgent(name, settings, definitions.settings().defaults);
    if (!definition.ok) return definition;
    const added = definitions.addEphemeral(definition.value, { workspace: context });
    if (!added.ok) return added;
    ctx.services.trust.acceptAgent(definition.value, "in-memory");
    return ok({ name, definitions });
  },
  repeatable: true,
  abandon: ({ name, definitions }) => void definitions.removeEphemeral(name),

  async execute(_data, ctx, { name }) {
    await ctx.store.conversations.place(name, "memory");
    await ctx.store.conversations.begin(name);
    await ctx.emit({ type: "agent.created", agent: name, ephemeral: true });
    return ok({ name, file: null });
  },
});
