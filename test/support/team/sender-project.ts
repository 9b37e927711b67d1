import { openProject, type Project } from "../../../src/daemon/open-project.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { systemRandom } from "../../../src/kernel/random.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { participant, workspace, write } from "../../../src/testing/store-conformance/records.ts";

export const SENDER_SPACE = "@team:main";
export const SENDER_TARGET = "@team";

/** The project the sender works in: one workspace, made on the first opening, with alice and bob. */
export async function openSenderProject(dir: string): Promise<Project> {
  const project = await openProject({
    dir,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    redactor: createRedactor(),
  });
  await write(project.store, async ({ workspaces }) => {
    if ((await workspaces.status(SENDER_SPACE)) !== undefined) return;
    await workspaces.open(workspace(SENDER_SPACE));
    await workspaces.setParticipants(SENDER_SPACE, [
      participant(SENDER_SPACE, "alice", { position: 0 }),
      participant(SENDER_SPACE, "bob", { position: 1 }),
    ]);
  });
  return project;
}
