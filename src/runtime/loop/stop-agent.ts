import { systemCaller } from "../../kernel/caller.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { stopMailbox } from "../../operations/agents/stop-mailbox.ts";
import type { RunningProject } from "../running-project.ts";

/** Stops an agent until something new comes for it, also over a restart. Resolves when it does nothing any more. */
export async function stopAgent(
  { system, runtime }: Pick<RunningProject, "system" | "runtime">,
  mailbox: string,
): Promise<Result<unknown, Refusal>> {
  const stopped = await system.propose(systemCaller, stopMailbox, { mailbox });
  if (stopped.ok) await runtime.loops.stop(mailbox);
  return stopped;
}
