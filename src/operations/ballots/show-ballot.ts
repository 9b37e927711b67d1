import * as contract from "../../contract/ballots.ts";
import { ok } from "../../kernel/result.ts";
import { participants } from "../core/access.ts";
import { toBallotView } from "./view.ts";
import { query } from "../core/define.ts";
import { findBallot, unknownBallot } from "./find-ballot.ts";

export const showBallot = query(contract.showBallot, {
  access: participants,

  async answer(data, ctx) {
    const found = await ctx.readEverywhere(async (store) => {
      const ballot = await findBallot(store, data.id, ctx.caller);
      return ballot.ok ? toBallotView(ballot.value, await store.ballots.votes(ballot.value.id)) : undefined;
    });
    const ballot = found.find((each) => each !== undefined);
    return ballot === undefined ? unknownBallot(data.id) : ok(ballot);
  },
});
