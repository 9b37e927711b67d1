import { z } from "zod";
import { grantedTools } from "../../domain/grant/held-grants.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { Access } from "../../kernel/proposal.ts";
import { ok } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { query } from "../core/define.ts";
import { personalOwner } from "../core/personal-owner.ts";

const agents: Access = (caller) =>
  caller.kind === "agent" ? undefined : { code: "forbidden", message: "Only agents have tools of the team." };

/**
 * What an agent has in the space it runs in. Inline and ephemeral agents have no personal context, and a workspace may
 * have no channel; direct messages count as one. The result must change only with a definition or a grant: a different
 * list of tools invalidates the provider's prompt cache.
 */
export const toolAvailability = query(
  {
    name: "tool-availability",
    summary: "Say what an agent has where it runs: a personal context, others to ask, messages it shares.",
    input: z.object({}),
    output: z.object({
      personal: z.boolean(),
      search: z.boolean(),
      others: z.boolean(),
      channel: z.boolean(),
      /** Tools it has by grants. */
      granted: z.array(z.string()),
      documentOwner: z.boolean(),
    }),
  },
  {
    access: agents,

    async execute(_data, ctx) {
      const { caller } = ctx;
      const space = caller.kind === "agent" ? caller.space : "";
      const name = caller.kind === "agent" ? caller.name : "";
      const owner = await personalOwner(ctx, undefined);
      const agent = { name, space, owner: owner.ok ? owner.value.agent : null };
      return ok(await ctx.read((store) => availabilityOf(store, ctx.services.definitions, agent)));
    },
  },
);

/** `owner` is the agent of the project; null for an agent that exists only in its workspace. */
export async function availabilityOf(
  store: StoreReads,
  definitions: Definitions,
  { name, space, owner }: { readonly name: string; readonly space: string; readonly owner: string | null },
) {
  const workspace = await store.workspaces.byKey(space);
  return {
    ...personalAvailability(definitions, owner),
    channel: workspace?.channel ?? true,
    documentOwner: (workspace?.documentOwner ?? null) !== null,
    granted: [...grantedTools(await store.grants.of(workspaceOf(space), name))],
  };
}

function personalAvailability(definitions: Definitions, owner: string | null) {
  if (owner === null || definitions.isEphemeral(owner)) return { personal: false, search: false, others: false };
  const search = definitions.agent(owner)?.memory?.search !== false;
  return { personal: true, search, others: definitions.hasOthers(owner) };
}
