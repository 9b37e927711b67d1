import type { LiveProject } from "./live-project.ts";

export interface DeadLetter {
  readonly id: string;
  readonly reason: string;
}

const SHOWN = 20;

/** What could not be answered in a space among the messages after a sequence number, oldest first. */
export async function deadLettersSince(project: LiveProject, space: string, seq: number): Promise<DeadLetter[]> {
  const dead = await project.readIn(space, (store) => store.deliveries.dead({ space, limit: SHOWN }));
  return dead
    .filter(({ message }) => message.seq > seq)
    .map(({ delivery }) => ({
      id: delivery.id,
      reason: delivery.state.status === "dead" ? delivery.state.reason : "",
    }))
    .toReversed();
}

/** The newest sequence number of a space: what comes after it belongs to what is about to start. */
export async function lastSequence(project: LiveProject, space: string): Promise<number> {
  const [last] = await project.readIn(space, (store) => store.messages.page({ space, limit: 1 }));
  return last?.seq ?? 0;
}
