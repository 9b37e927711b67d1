import * as contract from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { readTroubles } from "../troubles/read-troubles.ts";
import { readTeamActivity } from "./agent-activity.ts";
import { toAgentView, toWorkspaceAgentView } from "./view.ts";

export const listAgents = query(contract.listAgents, {
  access: persons,

  async execute(_data, ctx) {
    const { definitions, trust } = ctx.services;
    await definitions.refresh();
    const { activity, troubles } = await ctx.read(async (store) => {
      const read = await readTeamActivity(store);
      return { activity: read, troubles: await readTroubles(store, ctx.services, read.runs) };
    });
    return ok({
      agents: definitions.agents().map((agent) => toAgentView(ctx.services, agent, activity.of(agent.name))),
      workflowAgents: activity.workspaceAgents.map((each) => toWorkspaceAgentView(ctx.services, each)),
      waits: [...troubles.waits],
      dead: troubles.dead,
      trust: trust.kind(),
      storeProblem: troubles.storeProblem,
      problems: definitions
        .problems()
        .map(({ severity, file, line, column, message }) => ({ severity, file, line, column, message })),
    });
  },
});
