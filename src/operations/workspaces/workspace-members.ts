import type { MemberView } from "../../contract/workspaces.ts";
import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { participantSoul } from "../../guard/identity/participant-soul.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Execute, Services } from "../core/define.ts";
import { workflowOf } from "../runs/run-agent.ts";
import { toMemberView } from "./view.ts";

/** Returns the participants of a workspace in order of joining, each with the number of its open deliveries. */
export async function workspaceMembers(services: Services, store: StoreReads, space: string): Promise<MemberView[]> {
  const waiting = await store.deliveries.countOpenByMailbox(space);
  const participants = await store.workspaces.participants(space);
  return participants.map((each) => {
    const role = each.role ?? participantSoul(services, each)?.role ?? null;
    const open = waiting.get(mailboxOf(each.agent, each.isRef, space)) ?? 0;
    const unseen = services.trust.unseenOfAgent(readFrozenDefinition(each.definition), workflowOf(space));
    return { ...toMemberView(each, role, open), rests: unseen.length > 0 };
  });
}

/** Wakes every agent with open deliveries in a space: none ran while the workspace was closed or in setup. */
export async function wakeMembers(ctx: Execute, space: string): Promise<void> {
  for (const mailbox of (await ctx.store.deliveries.countOpenByMailbox(space)).keys()) ctx.wake(mailbox);
}
