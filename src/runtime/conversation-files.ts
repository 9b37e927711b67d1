import { systemCaller } from "../kernel/caller.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import { createSerialQueue } from "../kernel/serial-queue.ts";
import type { System } from "../kernel/system.ts";
import { recordConversation } from "../operations/conversations/record-conversation.ts";
import type { ProductTypes, Services } from "../operations/core/define.ts";

/**
 * The only writer of conversation files. Its writes run one after another: a message must not be appended to a file
 * that is just being archived.
 */
export interface ConversationFiles {
  /** Appends every direct message of the agent that its files do not hold yet. */
  record(agent: string): Promise<Result<undefined, Refusal>>;
  /** Records, then moves the files of the agent to their archive. Returns their new names. */
  archive(agent: string): Promise<Result<readonly string[], Refusal>>;
  /** Resolves when nothing is being written. */
  idle(): Promise<void>;
}

export function createConversationFiles(
  system: System<ProductTypes>,
  personal: Services["personal"],
): ConversationFiles {
  const queue = createSerialQueue();

  const record = async (agent: string): Promise<Result<undefined, Refusal>> => {
    for (;;) {
      const result = await system.propose(systemCaller, recordConversation, { agent });
      if (!result.ok) return result;
      if (!result.value.more) return ok(undefined);
    }
  };
  return {
    record: (agent) => queue.run(() => record(agent)),
    archive: (agent) =>
      queue.run(async () => {
        const recorded = await record(agent);
        if (!recorded.ok) return recorded;
        const context = personal(agent);
        return context.ok ? context.value.conversations.archive() : context;
      }),
    idle: () => queue.idle(),
  };
}
