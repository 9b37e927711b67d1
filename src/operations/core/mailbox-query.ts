import { mailboxOf } from "../../domain/delivery/mailbox.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { targetSpace, type Target } from "../../domain/message/target.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Whose work is meant by a target: an agent's by its name alone is that of everywhere it works. */
export interface MailboxQuery {
  readonly mailbox?: string;
  readonly space?: string;
}

/** In a workspace an agent may have a mailbox of its own. */
export async function mailboxQuery(store: StoreReads, target: Target): Promise<MailboxQuery> {
  if (target.kind === "dm") return { mailbox: target.agent };
  const space = formatSpace(targetSpace(target));
  if (target.kind === "channel") return { space };
  const member = await store.workspaces.member(space, target.agent);
  return { space, mailbox: mailboxOf(target.agent, member?.isRef ?? true, space) };
}
