import * as contract from "../../contract/agents.ts";
import type { AgentView } from "../../contract/agents.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findRunAgent } from "../runs/run-agent.ts";
import { personalProblems } from "../troubles/personal-problems.ts";
import { readTroubles } from "../troubles/read-troubles.ts";
import { readTeamActivity } from "./agent-activity.ts";
import { toAgentView, toProblemView, toWorkspaceAgentView } from "./view.ts";

export const listAgents = query(contract.listAgents, {
  access: persons,

  async execute(_data, ctx) {
    const { definitions, trust, ownProposals } = ctx.services;
    await definitions.refresh();
    const { activity, troubles, workspaceAgents } = await ctx.read(async (store) => {
      const read = await readTeamActivity(store);
      const views: AgentView[] = [];
      for (const each of read.workspaceAgents) {
        const found = await findRunAgent(store, definitions, each);
        if (found.kind === "found") views.push(toWorkspaceAgentView(ctx.services, each, found.agent.definition));
      }
      return { activity: read, troubles: await readTroubles(store, ctx.services, read.runs), workspaceAgents: views };
    });
    const broken = definitions.brokenAgents();
    const isBroken = new Set(broken.map(({ name }) => name));
    const usable = definitions.agents().filter(({ name }) => !isBroken.has(name));
    return ok({
      agents: usable.map((agent) => toAgentView(ctx.services, agent, activity.of(agent.name))),
      workflowAgents: workspaceAgents,
      broken: broken.map(({ name, problem }) => {
        return { name, open: activity.of(name).open, problem: toProblemView(problem) };
      }),
      waits: [...troubles.waits],
      dead: troubles.dead,
      trust: trust.kind(),
      storeProblem: troubles.storeProblem,
      problems: [
        ...[...definitions.problems(), ...ownProposals.problems()].map(toProblemView),
        ...personalProblems(ctx.services),
      ],
    });
  },
});
