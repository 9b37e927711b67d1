import * as contract from "../../contract/souls.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findAgent } from "../agents/find-agent.ts";
import { toSoulProposalView } from "./view.ts";

export const listSoulProposals = query(contract.listSoulProposals, {
  access: persons,

  async answer({ agent, state, limit }, ctx) {
    const known = agent === undefined ? undefined : await findAgent(ctx.services.definitions, agent);
    if (known?.ok === false) return known;
    const wanted = { ...(agent === undefined ? {} : { agent }), ...(state === "all" ? {} : { state }), limit };
    const found = await ctx.read((store) => store.soulProposals.list(wanted));
    return ok({ proposals: found.map((each) => toSoulProposalView(ctx.services, each)) });
  },
});
