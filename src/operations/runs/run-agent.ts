import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import { parseSpace } from "../../domain/message/space.ts";
import { projectAgentOf } from "../../domain/workspace/participant-identity.ts";
import type { Definitions } from "../../ports/definitions.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

export interface RunAgent {
  /** The definition with which the agent joined the workspace; for direct messages, its current definition. */
  readonly definition: AgentDefinition;
  /** The agent of the project whose personal context it has; null when it has none. */
  readonly owner: string | null;
}

/** Returns the agent that a run of this mailbox would be; undefined when there is none any more. */
export async function findRunAgent(
  store: Pick<StoreReads, "workspaces">,
  definitions: Definitions,
  { mailbox, space }: Pick<RunRecord, "mailbox" | "space">,
): Promise<RunAgent | undefined> {
  const name = mailboxAgent(mailbox);
  const participant = await store.workspaces.participant(space, name);
  if (participant !== undefined) {
    return { definition: readFrozenDefinition(participant.definition), owner: projectAgentOf(participant) };
  }
  const definition = definitions.agent(name);
  return definition === undefined ? undefined : { definition, owner: definitions.isEphemeral(name) ? null : name };
}

/** Returns the workflow of a workspace; null for direct messages. */
export function workflowOf(space: string): string | null {
  const parsed = parseSpace(space);
  return parsed.ok && parsed.value.kind === "workspace" ? parsed.value.workflow : null;
}
