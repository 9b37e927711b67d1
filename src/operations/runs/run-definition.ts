import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { parseSpace } from "../../domain/message/space.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** Returns the definition with which the agent joined the workspace; for direct messages, its current definition. */
export async function findRunDefinition(
  store: Pick<StoreReads, "workspaces">,
  definitions: Definitions,
  { mailbox, space }: Pick<RunRecord, "mailbox" | "space">,
): Promise<AgentDefinition | undefined> {
  const name = mailboxAgent(mailbox);
  const participant = await store.workspaces.participant(space, name);
  return participant === undefined ? definitions.agent(name) : readFrozenDefinition(participant.definition);
}

/** Returns the workflow of a workspace; null for direct messages. */
export function workflowOf(space: string): string | null {
  const parsed = parseSpace(space);
  return parsed.ok && parsed.value.kind === "workspace" ? parsed.value.workflow : null;
}
