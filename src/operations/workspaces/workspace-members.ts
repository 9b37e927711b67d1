import type { MemberView } from "../../contract/workspaces.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import { currentSoul } from "../../guard/identity/current-soul.ts";
import { findDefinition } from "../../guard/identity/find-definition.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Execute, Services } from "../core/define.ts";
import { definitionUse, missingText, workflowOf } from "../runs/run-agent.ts";
import { toMemberView } from "./view.ts";

/** Returns the participants of a workspace in order of joining, each with the number of its open deliveries. */
export async function workspaceMembers(services: Services, store: StoreReads, space: string): Promise<MemberView[]> {
  const waiting = await store.deliveries.countOpenByAgent(space);
  const participants = await store.workspaces.participants(space);
  const held = await store.grants.inSpace(workspaceOf(space));
  const { workflow } = await definitionUse(store, { agent: "", space });
  return participants.map((each) => {
    const found = findDefinition(services.definitions, { agent: each.agent, workflow });
    const grants = held.filter(({ agent }) => agent === each.agent);
    const member = toMemberView(each, waiting.get(each.agent) ?? 0, grants);
    if (found.kind !== "found") return { ...member, role: each.role, rests: false, missing: missingText(found) };
    const role = each.role ?? currentSoul(services, found.agent)?.role ?? null;
    const unseen = services.trust.unseenOfAgent(found.agent.definition, workflowOf(space));
    return { ...member, role, rests: unseen.length > 0, missing: null };
  });
}

/** Wakes every agent with open deliveries in a space: none ran while the workspace was closed or in setup. */
export async function wakeMembers(ctx: Execute, space: string): Promise<void> {
  for (const mailbox of (await ctx.store.deliveries.countOpenByMailbox(space)).keys()) ctx.wake(mailbox);
}
