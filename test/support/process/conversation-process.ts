/**
 * A project in a process of its own in which people talk to alice and bob as fast as they can, repeat themselves, and
 * now and then set alice's conversation aside, until it is killed. It answers `opened`, and `said N` for each round.
 */
import { person } from "../../../src/kernel/caller.ts";
import { clearConversation } from "../../../src/operations/conversations/clear-conversation.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { value } from "../result.ts";
import { openMirroredProject } from "../team/mirrored-project.ts";

const CLEAR_EVERY = 16;

const [dir = "", prefix = ""] = process.argv.slice(2);
const project = await openMirroredProject(dir);
console.log("opened");
for (let round = 0; ; round += 1) {
  const sends = ["alice", "bob", "alice"].map((to, n) =>
    project.system.propose(person, sendMessage, { to, message: round % 3 === 0 ? "ok" : `${prefix}-${round}-${n}` }),
  );
  for (const sent of await Promise.all(sends)) value(sent);
  if (round % CLEAR_EVERY === CLEAR_EVERY - 1) {
    value(await project.system.propose(person, clearConversation, { agent: "alice" }));
  }
  console.log(`said ${round}`);
}
