import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { agentActivity } from "./agent-activity.ts";
import { toAgentView } from "./view.ts";

export const listAgents = query(contract.listAgents, {
  access: persons,

  async execute(_data, ctx) {
    const { definitions, trust, storeUpkeep } = ctx.services;
    await definitions.refresh();
    const activityOf = await agentActivity(ctx);
    return ok({
      agents: definitions.agents().map((agent) => toAgentView(ctx.services, agent, activityOf(agent.name))),
      trust: trust.kind(),
      storeProblem: storeUpkeep.problem(),
      problems: definitions
        .problems()
        .map(({ severity, file, line, column, message }) => ({ severity, file, line, column, message })),
    });
  },
});
