/**
 * A person who sends to the daemon of one machine, whatever becomes of it: `HOME PROJECT FIRST EVERY_MS`. What was not
 * accepted is sent again with the same key. Prints `acked KEY` for each receipt. Told `stop`, it ends after the message it is at.
 */
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../../src/client/client.ts";
import { connectToDaemon } from "../../../src/client/connect.ts";
import { TEAM_NAMES } from "../team/team-at-work.ts";

const [home = "", projectDir = "", first = "0", everyMs = "100"] = process.argv.slice(2);
let isStopping = false;
const input = createInterface({ input: process.stdin }).once("line", () => (isStopping = true));

let client: Client | undefined;
for (let next = Number(first) + 1; !isStopping; next += 1) {
  const key = `k${next}`;
  const to = TEAM_NAMES[next % TEAM_NAMES.length];
  const message = { to: "@team", message: `@${to} what about ${key}?`, idempotencyKey: key };
  for (let accepted = false; !accepted;) {
    try {
      client ??= await connectToDaemon({ home, projectDir, env: {} });
      accepted = (await client.call("send-message", message)).ok;
    } catch {
      client?.[Symbol.dispose]();
      client = undefined;
    }
    if (!accepted) await pause(100);
  }
  console.log(`acked ${key}`);
  await pause(Number(everyMs));
}
input.close();
client?.[Symbol.dispose]();
