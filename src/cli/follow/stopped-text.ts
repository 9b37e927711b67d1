import type { Client } from "../../client/client.ts";
import { countOf } from "../output/count-of.ts";

/** Says that an agent was stopped, what still waits for it, and how to drop that. */
export async function stoppedText(client: Client, agent: string): Promise<string> {
  const inbox = await client.call("read-inbox", { target: agent });
  const waiting = inbox.ok ? inbox.value.deliveries.length : 0;
  if (waiting === 0) return `Stopped ${agent}. It goes on when something new comes for it.\n`;
  const [verb, which] = waiting === 1 ? ["waits", "it"] : ["wait", "them"];
  return [
    `Stopped ${agent}. ${countOf(waiting, "message")} still ${verb} for it: with the next one it goes on with ${which}, too.`,
    `Drop ${which} with: agent-worker inbox ${agent} --drop\n`,
  ].join("\n");
}
