import * as contract from "../../contract/ballots.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { callerSpace } from "../core/caller-space.ts";
import { query } from "../core/define.ts";
import { findWorkspace } from "../workspaces/find-workspace.ts";
import { toBallotView } from "./view.ts";

export const listBallots = query(contract.listBallots, {
  access: participants,

  async execute(data, ctx) {
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
