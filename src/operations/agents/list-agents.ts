import * as contract from "../../contract/agents.ts";
import type { AgentView, RemovedAgentView } from "../../contract/agents.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findRunAgent } from "../runs/run-agent.ts";
import { personalProblems } from "../troubles/personal-problems.ts";
import { readTroubles } from "../troubles/read-troubles.ts";
import { readTeamActivity, type TeamActivity } from "./agent-activity.ts";
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
      removed: removedAgents(activity, new Set(usable.map(({ name }) => name))),
      waits: [...troubles.waits],
      dead: troubles.dead,
      unplaced: [...troubles.unplaced],
      refused: [...troubles.refused],
      trust: trust.kind(),
      storeProblem: troubles.storeProblem,
      problems: [
        ...[...definitions.problems(), ...ownProposals.problems()].map(toProblemView),
        ...personalProblems(ctx.services),
      ],
    });
  },
});

/** Returns the agents that have begun something and are neither usable nor in an open workspace. */
function removedAgents(activity: TeamActivity, usable: ReadonlySet<string>): RemovedAgentView[] {
  const { workspaceAgents, runs } = activity;
  const inWorkspaces = new Set(workspaceAgents.map(({ agent, space }) => mailboxOf(agent, null, space)));
  const mailboxes = new Set([...runs.running, ...runs.waiting].map(({ mailbox }) => mailbox));
  return [...mailboxes]
    .filter((mailbox) => !usable.has(mailbox) && !inWorkspaces.has(mailbox))
    .toSorted()
    .map((mailbox) => {
      const { state, until, work, open } = activity.of(mailbox);
      return { name: mailbox, state, until, work, open };
    });
}
