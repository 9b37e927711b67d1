import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { defineAgent } from "./define-agent.ts";

/**
 * Writes the definition file of a new agent. The file alone defines the agent: when the commit fails, the agent exists
 * and only its event is missing.
 */
export const createAgent = proposal(contract.createAgent, {
  access: persons,

  async prepare({ name, ...settings }, ctx) {
    const { definitions } = ctx.services;
    const definition = defineAgent(name, settings, definitions.settings().defaults);
    if (!definition.ok) return definition;
    const created = await definitions.createAgent(definition.value);
    if (created.ok) ctx.services.trust.acceptAgent(definition.value, "kept");
    return created;
  },

  async execute({ name }, ctx, { file }) {
    await ctx.store.conversations.place(name, "disk");
    await ctx.emit({ type: "agent.created", agent: name, ephemeral: false });
    return ok({ name, file });
  },
});
