import { expect, vi } from "vitest";
import type { Project } from "../../../src/daemon/open-project.ts";
import { person } from "../../../src/kernel/caller.ts";
import { ackDeliveries } from "../../../src/operations/inbox/ack-deliveries.ts";
import { readInbox } from "../../../src/operations/inbox/read-inbox.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import type { ManualClock } from "../manual-clock.ts";
import { callOk, type TestProject } from "./project.ts";
import { agentIn } from "./team.ts";

/** The agent answers everything it was told directly. */
export async function answerDirectly(project: TestProject, agent: string, text: string): Promise<void> {
  const self = agentIn(agent, agent);
  const { deliveries } = await callOk(project, self, readInbox, {});
  await callOk(project, self, ackDeliveries, { ids: deliveries.map(({ id }) => id) });
  await callOk(project, self, sendMessage, { message: text });
}

/** Resolves when every direct message of the agent has been brought into its files, for which a little time must pass. */
export function conversationKept(
  project: Pick<Project, "store"> & { readonly clock?: ManualClock },
  agent: string,
): Promise<void> {
  return vi.waitFor(
    () => {
      project.clock?.advance(1);
      return project.store.read(async (store) => {
        const [last] = await store.messages.page({ space: agent, limit: 1 });
        expect((await store.conversations.recorded(agent)).seq).toBe(last?.seq ?? 0);
      });
    },
    { timeout: 5_000, interval: 2 },
  );
}

export function tell(project: TestProject, agent: string, message: string) {
  return callOk(project, person, sendMessage, { to: agent, message });
}
