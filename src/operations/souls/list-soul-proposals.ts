import * as contract from "../../contract/souls.ts";
import { ok } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toSoulProposalView } from "./view.ts";

export const listSoulProposals = query(contract.listSoulProposals, {
  access: persons,

  async execute({ agent, state, limit }, ctx) {
    const existing = agent === undefined ? undefined : await findAgent(ctx.services.definitions, agent);
    if (existing?.ok === false) return existing;
    const filter = { ...(agent === undefined ? {} : { agent }), ...(state === "all" ? {} : { state }), limit };
    const found = await ctx.read((store) => store.soulProposals.list(filter));
    return ok({ proposals: found.map((each) => toSoulProposalView(ctx.services, each)) });
  },
});
