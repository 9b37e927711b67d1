import type { Soul } from "../../domain/agent/definition.ts";
import { readFrozenDefinition } from "../../domain/agent/frozen-definition.ts";
import { effectiveSoul } from "../../domain/soul/learned-soul.ts";
import { projectAgentOf, type Participant } from "../../domain/workspace/participant-identity.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { PersonalContext } from "../../ports/personal-context.ts";

/**
 * Returns the soul of a participant: the baseline it joined with, and what it has learned since. An agent that exists
 * only in the workspace has learned nothing.
 */
export function participantSoul(
  sources: { personal(agent: string): Result<Pick<PersonalContext, "soul">, Refusal> },
  participant: Participant,
): Soul | undefined {
  const { soul } = readFrozenDefinition(participant.definition);
  const owner = projectAgentOf(participant);
  const context = owner === null ? undefined : sources.personal(owner);
  return context?.ok === true ? effectiveSoul(soul, context.value.soul.read().state.learned) : soul;
}
