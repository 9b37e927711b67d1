import { openProject, type Project } from "../../../src/daemon/open-project.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { systemRandom } from "../../../src/kernel/random.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import type { MessageRecord } from "../../../src/ports/store/message.ts";

/** The project a process that is to be killed works in. Its folder holds the definitions already. */
export function openMirroredProject(dir: string): Promise<Project> {
  return openProject({
    dir,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    redactor: createRedactor(),
  });
}

/** What the mirror of these messages should hold, for bodies of one plain line. */
export function plainMirror(messages: readonly Pick<MessageRecord, "createdAt" | "sender" | "body">[]): string {
  return messages
    .map(({ createdAt, sender, body }) => {
      const time = new Date(createdAt).toISOString().slice(11, 19);
      return `### ${time} [${sender}]\n${body}\n\n`;
    })
    .join("");
}
