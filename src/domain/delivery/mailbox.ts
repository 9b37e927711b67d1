/**
 * The key of the one loop that consumes an agent's deliveries. An agent of the project has one mailbox for all its
 * workspaces and direct messages; an agent that exists only in one workspace has one of its own, so that two
 * workspaces may each have a `helper` and neither answers the other's messages.
 */
export function mailboxOf(agent: string, isRef: boolean, space: string): string {
  return isRef ? agent : agent + space;
}

/** The agent's name, which is what people and agents see. */
export function mailboxAgent(mailbox: string): string {
  const at = mailbox.indexOf("@");
  return at === -1 ? mailbox : mailbox.slice(0, at);
}
