import * as contract from "../../contract/ballots.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findBallot } from "./find-ballot.ts";
import { toBallotView } from "./view.ts";

export const showBallot = query(contract.showBallot, {
  access: participants,

  async execute(data, ctx) {
    return ctx.read(async (store) => {
      const ballot = await findBallot(store, data.id, ctx.caller);
      return ballot.ok ? ok(toBallotView(ballot.value, await store.ballots.votes(ballot.value.id))) : ballot;
    });
  },
});
