import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { defineAgent } from "./agent-input.ts";
import { proposal } from "../core/define.ts";

/**
 * Writes the file of a new agent. The file is what makes the agent: should the commit that follows fail, the agent is
 * there and only its event is missing.
 */
export const createAgent = proposal(contract.createAgent, {
  access: persons,

  async prepare({ name, ...settings }, ctx) {
    const { definitions } = ctx.services;
    const definition = defineAgent(name, settings, definitions.settings().defaults);
    return definition.ok ? definitions.createAgent(definition.value) : definition;
  },

  async execute({ name }, ctx, { file }) {
    await ctx.emit({ type: "agent.created", agent: name, ephemeral: false });
    return ok({ name, file });
  },
});
