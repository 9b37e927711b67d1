import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { Definitions } from "../../ports/definitions.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** The agent of a run, as the operations know it. What it says is caused by the message the run answers. */
export function runCaller({ id, mailbox, space, cause }: RunRecord): Extract<Caller, { kind: "agent" }> {
  return { kind: "agent", name: mailboxAgent(mailbox), space, run: id, cause };
}

/** Who the agent is in this run: as it joined the workspace, or as its file says now for direct messages. */
export async function runDefinition(
  store: StoreReads,
  definitions: Definitions,
  run: RunRecord,
): Promise<AgentDefinition> {
  const name = mailboxAgent(run.mailbox);
  const participant = await store.workspaces.participant(run.space, name);
  if (participant !== undefined) return readFrozenDefinition(participant.definition);
  const definition = definitions.agent(name);
  if (definition !== undefined) return definition;
  throw new EngineFailure("permanent", `There is no agent called "${name}" any more.`);
}
