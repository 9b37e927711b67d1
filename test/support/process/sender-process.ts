/**
 * A project in a process of its own that sends as fast as it can until it is killed: 64 messages in flight, each with
 * an idempotency key and two mentions. First it repeats the keys it is given, then it counts up. It answers
 * `opened LOST` and, for each receipt, `acked KEY MESSAGE-ID`.
 */
import { flushCompileCache } from "node:module";
import { person } from "../../../src/kernel/caller.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { value } from "../result.ts";
import { openSenderProject, SENDER_TARGET } from "../team/sender-project.ts";

const IN_FLIGHT = 64;
const [dir = "", first = "0", repeats = ""] = process.argv.slice(2);

const project = await openSenderProject(dir);
console.log(`opened ${project.store.lostCommits}`);
flushCompileCache(); // Not at the end, which never comes.

const again = repeats === "" ? [] : repeats.split(",");
let next = Number(first);
const sendOn = async (): Promise<never> => {
  while (true) {
    const key = again.shift() ?? `k${(next += 1)}`;
    const data = { to: SENDER_TARGET, message: `@alice @bob ${key}`, idempotencyKey: key };
    const { id } = value(await project.system.propose(person, sendMessage, data));
    console.log(`acked ${key} ${id}`);
  }
};
await Promise.all(Array.from({ length: IN_FLIGHT }, sendOn));
