import { currentKey } from "../workspace/instance.ts";
import { workspaceOf } from "../workspace/sub-space.ts";

/**
 * Returns the key of the one loop that consumes an agent's deliveries. An agent of the project (`ref`) has one mailbox for
 * all its workspaces and direct messages, whatever it is called there. An agent that exists only in one workspace has a
 * mailbox there, so that two workspaces can each have a `helper`; all instances of that workspace share it, and so do its
 * sub-spaces.
 */
export function mailboxOf(agent: string, ref: string | null, space: string): string {
  return ref ?? agent + workspaceOf(currentKey(space));
}

/** Returns the name of the agent whose mailbox it is. In a workspace it may have another: the delivery says which. */
export function mailboxAgent(mailbox: string): string {
  const at = mailbox.indexOf("@");
  return at === -1 ? mailbox : mailbox.slice(0, at);
}
