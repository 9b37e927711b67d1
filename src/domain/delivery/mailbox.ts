import { currentKey } from "../workspace/instance.ts";

/**
 * Returns the key of the one loop that consumes an agent's deliveries. An agent of the project has one mailbox for all
 * its workspaces and direct messages. An agent that exists only in one workspace has a mailbox there, so that two
 * workspaces can each have a `helper`; all instances of that workspace share it.
 */
export function mailboxOf(agent: string, isRef: boolean, space: string): string {
  return isRef ? agent : agent + currentKey(space);
}

/** Returns the agent's name, as people and agents see it. */
export function mailboxAgent(mailbox: string): string {
  const at = mailbox.indexOf("@");
  return at === -1 ? mailbox : mailbox.slice(0, at);
}
