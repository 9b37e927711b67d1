import * as contract from "../../contract/documents.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { openDocuments } from "./document-access.ts";

/** Decided by a person, or by the agents together in a binding ballot; never by one agent. */
export const setDocumentOwner = proposal(contract.setDocumentOwner, {
  access: persons,
  space: (data, caller) => spaceKey(data.target, caller),
  ballotable: true,

  async execute({ target, owner }, ctx) {
    const workspace = await openDocuments(ctx.store, target, ctx.caller);
    if (!workspace.ok) return workspace;
    const { key, workflow, tag, documentOwner } = workspace.value;
    if (owner !== null) {
      const roster = (await ctx.store.workspaces.roster(key)).map(({ agent }) => agent);
      const member = checkParticipant({ workflow, tag, running: true, participants: roster }, owner);
      if (!member.ok) return member;
    }
    if (owner !== documentOwner) {
      await ctx.store.workspaces.setDocumentOwner(key, owner);
      await ctx.emit({ type: "document.owner", space: key, owner });
    }
    return ok({ space: key, owner });
  },
});
