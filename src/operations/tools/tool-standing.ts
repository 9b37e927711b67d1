import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import type { Access } from "../../kernel/proposal.ts";
import { query } from "../define.ts";
import { personalOwner } from "../personal-owner.ts";

const agents: Access = (caller) =>
  caller.kind === "agent" ? undefined : { code: "forbidden", message: "Only agents have tools of the team." };

/**
 * What an agent has where it runs, which no credential says: inline and ephemeral agents have no personal context, and
 * a workspace may be without a channel. Direct messages are shared with whoever writes them.
 */
export const toolStanding = query({
  name: "tool-standing",
  summary: "Say what an agent has where it runs: a personal context, messages it shares.",
  input: z.object({}),
  output: z.object({ personal: z.boolean(), search: z.boolean(), channel: z.boolean() }),
  access: agents,
  space: (_data, caller) => (caller.kind === "agent" ? caller.space : undefined),

  async answer(_data, ctx) {
    const { caller } = ctx;
    const space = caller.kind === "agent" ? caller.space : "";
    const workspace = await ctx.read((store) => store.workspaces.status(space));
    const owner = await personalOwner(ctx, undefined);
    const memory = owner.ok ? ctx.facilities.definitions.agent(owner.value.agent)?.memory : undefined;
    return ok({ personal: owner.ok, search: memory?.search !== false, channel: workspace?.channel ?? true });
  },
});
