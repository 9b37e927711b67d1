import { person } from "../kernel/caller.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result } from "../kernel/result.ts";
import { sendMessage } from "../operations/send-message.ts";
import type { LiveProject } from "./live-project.ts";
import { deadLettersSince, type DeadLetter } from "./dead-letters.ts";

/** Sends a direct message and comes back when the agent has dealt with it. */
export async function askAgent(
  project: LiveProject,
  agent: string,
  message: string,
  signal: AbortSignal,
): Promise<Result<{ readonly deadLetters: readonly DeadLetter[] }, Refusal>> {
  const sent = await project.system.propose(person, sendMessage, { to: agent, message });
  if (!sent.ok) return sent;
  const { stranded } = await project.runtime.idle.untilIdle(agent, signal);
  const deadLetters = await deadLettersSince(project, agent, sent.value.seq - 1);
  return ok({
    deadLetters: stranded > 0 ? [...deadLetters, { id: "-", reason: "nobody took the message" }] : deadLetters,
  });
}
