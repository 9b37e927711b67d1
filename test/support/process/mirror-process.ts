/**
 * A project in a process of its own that sends into the mirrored workspace `review` as fast as it can, a few messages
 * at a time, until it is killed. It answers `opened` once everything before is mirrored, and `sent N` for each round.
 */
import { person } from "../../../src/kernel/caller.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { value } from "../result.ts";
import { openMirroredProject } from "../team/mirrored-project.ts";

const [dir = "", prefix = ""] = process.argv.slice(2);
const project = await openMirroredProject(dir);
await project.system.propose(person, openWorkspace, { workflow: "review", tag: "main" });
await project.mirror.settled();
console.log("opened");
for (let round = 0; ; round += 1) {
  const sends = [1, 2, 3].map((n) =>
    project.system.propose(person, sendMessage, { to: "@review", message: `${prefix}-${round}-${n} @alice` }),
  );
  for (const sent of await Promise.all(sends)) value(sent);
  console.log(`sent ${round}`);
}
