import type { MemberView } from "../../contract/workspaces.ts";
import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { participantSoul } from "../../guard/identity/participant-soul.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { Services } from "../core/define.ts";
import { toMemberView } from "./view.ts";

/** Who takes part in a workspace, in the order of joining, with what waits for each of them there. */
export async function workspaceMembers(services: Services, store: StoreReads, space: string): Promise<MemberView[]> {
  const waiting = await store.deliveries.countOpenByMailbox(space);
  const participants = await store.workspaces.participants(space);
  return participants.map((each) => {
    const role = participantSoul(services, each)?.role ?? null;
    return toMemberView(each, role, waiting.get(mailboxOf(each.agent, each.isRef, space)) ?? 0);
  });
}
