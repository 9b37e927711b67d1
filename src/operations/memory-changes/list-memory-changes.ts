import * as contract from "../../contract/personal/memory-changes.ts";
import { ok } from "../../kernel/result.ts";
import { findAgent } from "../agents/find-agent.ts";
import { persons } from "../core/access.ts";
import { query } from "../core/define.ts";
import { toMemoryChangeView } from "./view.ts";

export const listMemoryChanges = query(contract.listMemoryChanges, {
  access: persons,

  async execute({ agent, state, limit }, ctx) {
    if (agent !== undefined) {
      const found = await findAgent(ctx.services.definitions, agent);
      if (!found.ok) return found;
    }
    const filter = { ...(agent === undefined ? {} : { agent }), ...(state === undefined ? {} : { state }), limit };
    const changes = await ctx.read((store) => store.memories.changes(filter));
    return ok({ changes: changes.map(toMemoryChangeView) });
  },
});
