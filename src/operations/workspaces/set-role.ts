import * as contract from "../../contract/workspaces.ts";
import { checkParticipant } from "../../domain/workspace/participation.ts";
import { ok } from "../../kernel/result.ts";
import { persons } from "../core/access.ts";
import { callerSpace, spaceKey } from "../core/caller-space.ts";
import { proposal } from "../core/define.ts";
import { findWorkspace } from "./find-workspace.ts";

/** Decided by a person, or by the agents together in a binding ballot; never by one agent. It lasts until the workspace closes. */
export const setRole = proposal(contract.setRole, {
  access: persons,
  space: (data, caller) => spaceKey(data.target, caller),
  ballotable: true,

  async execute(data, ctx) {
    const space = callerSpace(data.target, ctx.caller);
    if (!space.ok) return space;
    const found = await findWorkspace(ctx.store, space.value);
    if (!found.ok) return found;
    const { key, workflow, tag, state } = found.value;
    const roster = (await ctx.store.workspaces.roster(key)).map(({ agent }) => agent);
    const member = checkParticipant({ workflow, tag, running: state === "open", participants: roster }, data.agent);
    if (!member.ok) return member;
    const role = data.role === null ? null : ctx.services.redact(data.role);
    await ctx.store.workspaces.setRole(key, data.agent, role);
    await ctx.emit({ type: "role.set", space: key, agent: data.agent, role });
    return ok({ space: key, agent: data.agent, role });
  },
});
