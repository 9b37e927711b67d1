import { systemCaller } from "../../kernel/caller.ts";
import { expireBallots } from "../../operations/ballots/expire-ballots.ts";
import { openBallotsOf } from "../../operations/ballots/open-ballots.ts";
import { remindVoters } from "../../operations/ballots/remind-voters.ts";
import type { OpenProject } from "../open-project.ts";

/**
 * Called while a run waits for nothing but votes. First those who have not voted are reminded, which wakes them. When the
 * workspace is idle again, no agent will vote any more, and the ballots end as if their time were over. A ballot that a
 * person has not voted on stays open.
 */
export async function endVoting({ store, system }: OpenProject, space: string): Promise<void> {
  const open = await store.read((reads) => openBallotsOf(reads, space));
  if (open.some(({ remindedAt }) => remindedAt === null)) {
    await system.propose(systemCaller, remindVoters, { space });
  } else {
    await system.propose(systemCaller, expireBallots, { idleSpace: space });
  }
}
