import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** The runs that a target selects. The name of an agent alone selects its runs in every space. */
export interface MailboxQuery {
  readonly mailbox?: string;
  readonly space?: string;
}

/** Reads the store, because an agent may have a separate mailbox in a workspace. */
export async function mailboxQuery(store: StoreReads, target: Target): Promise<MailboxQuery> {
  if (target.kind === "dm") return { mailbox: target.agent };
  const space = formatSpace(targetSpace(target));
  if (target.kind === "channel") return { space };
  const member = await store.workspaces.member(space, target.agent);
  return { space, mailbox: mailboxOf(target.agent, member === undefined ? target.agent : member.ref, space) };
}
