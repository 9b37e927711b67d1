import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { agentActivity } from "./agent-activity.ts";
import { toAgentView, toProblemView } from "./view.ts";

export const listAgents = query(contract.listAgents, {
  access: persons,

  async execute(_data, ctx) {
    const { definitions, trust, storeUpkeep } = ctx.services;
    await definitions.refresh();
    const activityOf = await agentActivity(ctx);
    return ok({
      agents: definitions.agents().map((agent) => toAgentView(ctx.services, agent, activityOf(agent.name))),
      broken: definitions
        .brokenAgents()
        .map(({ name, problem }) => ({ name, open: activityOf(name).open, problem: toProblemView(problem) })),
      trust: trust.kind(),
      storeProblem: storeUpkeep.problem(),
      problems: definitions.problems().map(toProblemView),
    });
  },
});
