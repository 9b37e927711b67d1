import * as contract from "../../contract/agents.ts";
import { DEFAULT_TAG } from "../../domain/names.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { proposal } from "../core/define.ts";
import { openWorkspace } from "../workspaces/open-workspace.ts";
import { defineAgent } from "./define-agent.ts";

/** Creates an agent in the daemon's memory, with a workspace of its own if asked for. It exists until the daemon stops. */
export const createEphemeralAgent = proposal(contract.createEphemeralAgent, {
  access: persons,

  async prepare({ name: requested, context, tag, ...settings }, ctx) {
    if (tag !== undefined && !context) {
      return refuse("invalid", "Only a workspace has a tag.", { hint: "Ask for a workspace, too: --context" });
    }
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
  abandon: ({ name, definitions }) => void definitions.removeEphemeral(name),

  async execute({ context, tag = DEFAULT_TAG }, ctx, { name }) {
    await ctx.emit({ type: "agent.created", agent: name, ephemeral: true });
    if (!context) return ok({ name, file: null, space: null });
    const opened = await openWorkspace.execute({ workflow: name, tag, continue: false }, ctx, 1);
    return opened.ok ? ok({ name, file: null, space: opened.value.space }) : opened;
  },
});
