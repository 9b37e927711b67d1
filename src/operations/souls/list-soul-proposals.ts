import { z } from "zod";
import { soulProposalView } from "../../contract/souls.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { findAgent } from "../agents/find-agent.ts";
import { toSoulProposalView } from "./view.ts";

export const listSoulProposals = query({
  name: "list-soul-proposals",
  summary: "List the changes of souls that wait for a person, newest first; or those that were decided.",
  input: z.object({
    agent: z.string().optional().describe("Only those of this agent."),
    state: z.enum(["open", "approved", "rejected", "all"]).default("open"),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ proposals: z.array(soulProposalView) }),
  access: persons,

  async answer({ agent, state, limit }, ctx) {
    const known = agent === undefined ? undefined : await findAgent(ctx.services.definitions, agent);
    if (known?.ok === false) return known;
    const wanted = { ...(agent === undefined ? {} : { agent }), ...(state === "all" ? {} : { state }), limit };
    const found = await ctx.read((store) => store.soulProposals.list(wanted));
    return ok({ proposals: found.map((each) => toSoulProposalView(ctx.services, each)) });
  },
});
