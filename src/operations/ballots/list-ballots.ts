import { z } from "zod";
import { ballotView } from "../../contract/ballot.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { toBallotView } from "./view.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";

export const listBallots = query({
  name: "list-ballots",
  summary: "List the ballots of a workspace, newest first: the open ones, or all.",
  input: z.object({
    target: z.string().optional().describe("@review or @review:pr-1. Agents: leave it out."),
    all: z.boolean().default(false).describe("Closed ones too."),
    limit: z.int().min(1).max(500).default(50),
  }),
  output: z.object({ ballots: z.array(ballotView) }),
  access: participants,

  async answer(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    return ctx.read(async (store) => {
      const workspace = await findWorkspace(store, space.value);
      if (!workspace.ok) return workspace;
      const page = { space: workspace.value.key, limit: data.limit };
      const ballots = await store.ballots.list(data.all ? page : { ...page, state: "open" });
      const views = [];
      for (const ballot of ballots) views.push(toBallotView(ballot, await store.ballots.votes(ballot.id)));
      return ok({ ballots: views });
    });
  },
});
