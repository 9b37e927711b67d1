import type { Client } from "../../client/client.ts";
import { systemClock } from "../../kernel/clock.ts";
import { stoppedText } from "./stopped-text.ts";
import type { Terminal } from "../output/terminal.ts";

/** What a person who pressed Ctrl-C can do with work that goes on. */
export interface WorkToStop {
  /** What to stop: a workspace that the request started, or agents. */
  readonly stop: { readonly workspace: string } | { readonly agents: readonly string[] };
  readonly follow: string;
}

const SECOND_MS = 4_000;

/**
 * Says how to follow the work, and on a terminal how to stop it: there, a second Ctrl-C within a moment does. Returns
 * whether it was stopped.
 */
export async function offerStop(client: Client, terminal: Terminal, { stop, follow }: WorkToStop): Promise<boolean> {
  const targets = "workspace" in stop ? [stop.workspace] : stop.agents;
  const commands = targets.map((target) => `agent-worker stop ${target}`).join(", ");
  const isWatched = terminal.interactive && terminal.columns !== undefined && targets.length > 0;
  terminal.note(`\n${follow}\n`);
  if (!isWatched) return false;
  terminal.note(`Stop it with: ${commands}, or Ctrl-C once more within ${SECOND_MS / 1000} seconds\n`);
  if (!(await pressedAgain())) return false;
  if ("workspace" in stop) {
    await client.call("close-workspace", { target: stop.workspace });
    terminal.note(`Stopped ${stop.workspace}.\n`);
    return true;
  }
  for (const agent of stop.agents) {
    await client.stopAgent(agent);
    terminal.note(await stoppedText(client, agent));
  }
  return true;
}

async function pressedAgain(): Promise<boolean> {
  const over = new AbortController();
  let pressed = false;
  const onSignal = (): void => {
    pressed = true;
    over.abort();
  };
  process.on("SIGINT", onSignal);
  await systemClock.sleep(SECOND_MS, over.signal).catch(() => {});
  process.off("SIGINT", onSignal);
  return pressed;
}
