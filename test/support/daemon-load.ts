import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openProject } from "../../src/daemon/open-project.ts";
import { person } from "../../src/kernel/caller.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { silentLog } from "../../src/kernel/log.ts";
import { systemRandom } from "../../src/kernel/random.ts";
import { createRedactor } from "../../src/kernel/redact.ts";
import { openWorkspace } from "../../src/operations/open-workspace.ts";
import { sendMessage } from "../../src/operations/send-message.ts";
import { startTestDaemon, type TestDaemon } from "./daemon.ts";
import { eventually } from "./live-project.ts";
import { callOk } from "./project.ts";
import { value } from "./result.ts";

export interface Load {
  readonly agents: number;
  readonly workspaces: number;
  /** Deliveries that wait, for agents that never finish what they do. */
  readonly pending: number;
}

const BUSY_AGENTS = 100;
const ALICE = { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Answer. }\n" };

/**
 * A daemon that goes on with a project of very many agents, workspaces and waiting messages, and serves a small project
 * beside it. Throws when anything is lost, the small one is not served, or memory is not bounded. Says what it took.
 */
export async function daemonUnderLoad({ agents, workspaces, pending }: Load): Promise<string> {
  await using light = await startTestDaemon({ files: ALICE });
  const alone = await startsAgain(light);
  const large = join(light.home, "../large");
  await fill(large, { agents, workspaces, pending });

  await using daemon = await light.restart();
  const started = performance.now();
  using ofLarge = await daemon.clientFor(large);
  const opening = ofLarge.call("list-agents", {});
  const [waits] = await Promise.all([servedBeside(daemon, opening), opening]);
  const openedMs = performance.now() - started;
  expect(value(await opening).agents).toHaveLength(agents);
  expect(value(await ofLarge.call("list-workspaces", {})).workspaces).toHaveLength(workspaces);
  await eventually("every busy agent is at work", async () => (await healthOf(daemon, large)).running >= busyOf(pending), 120_000);
  const { pending: waiting } = await healthOf(daemon, large);
  expect(waiting, "nothing that waits is lost").toBe(pending);
  await servedBeside(daemon, Promise.resolve());

  const { memory } = await daemon.client.health();
  await daemon.stop();
  await using again = await daemon.restart();
  const loaded = await startsAgain(again);
  const megabytes = Math.round(memory.rss / 1024 ** 2);
  expect(loaded.readyMs, "a daemon is ready before its projects are open").toBeLessThan(5 * alone.readyMs + 2_000);
  expect(megabytes - alone.megabytes, "megabytes more than with one agent").toBeLessThan(150 + agents / 50 + pending / 500);
  return [
    `${agents} agents, ${workspaces} workspaces, ${pending} waiting: ${megabytes} MB (${alone.megabytes} MB with one agent)`,
    `ready after ${Math.round(loaded.readyMs)} ms (${Math.round(alone.readyMs)} ms)`,
    `the project open after ${Math.round(openedMs)} ms, others served meanwhile in at most ${Math.round(Math.max(...waits))} ms`,
  ].join("; ");
}
