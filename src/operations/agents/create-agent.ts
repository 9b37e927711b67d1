import { z } from "zod";
import { createdAgentView } from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { agentSettings, defineAgent } from "./agent-input.ts";
import { proposal } from "../core/define.ts";

/**
 * Writes the file of a new agent. The file is what makes the agent: should the commit that follows fail, the agent is
 * there and only its event is missing.
 */
export const createAgent = proposal({
  name: "create-agent",
  summary:
    "Create an agent of the project: its definition in .agents/NAME.yaml and the folder of its personal context.",
  input: z.object({
    name: z.string(),
    ...agentSettings,
    systemFile: z.string().min(1).optional().describe("A file of the project that holds the system prompt."),
  }),
  output: createdAgentView,
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
