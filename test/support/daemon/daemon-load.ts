import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { openProject } from "../../../src/daemon/open-project.ts";
import { person } from "../../../src/kernel/caller.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import { systemRandom } from "../../../src/kernel/random.ts";
import { createRedactor } from "../../../src/kernel/redact.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { openWorkspace } from "../../../src/operations/workspaces/open-workspace.ts";
import { value } from "../result.ts";
import { callOk } from "../team/project.ts";
import { eventually } from "../team/running-project.ts";
import { startTestDaemon, type TestDaemon } from "./daemon.ts";

export interface Load {
  readonly agents: number;
  readonly workspaces: number;
  /** Messages that wait, for agents that never finish what they do. */
  readonly pending: number;
}

const BUSY = 100;
const ALICE = "name: alice\nbackend: mock\nprompt: { system: Answer. }\n";
const SLOW = "- repeat: true\n  steps:\n    - delay: 10h\n";

/**
 * A daemon with a project of very many agents, workspaces and waiting messages, and a small project beside it. Fails
 * when a message is lost, the small project is not served meanwhile, memory grows with the load or the daemon waits for
 * the project before it is ready. Says what it took.
 */
export async function daemonUnderLoad({ agents, workspaces, pending }: Load): Promise<string> {
  await using first = await startTestDaemon({ files: { ".agents/alice.yaml": ALICE } });
  await using alone = await restarted(first);
  await serveAlice(alone.daemon);
  const before = megabytesOf(await alone.daemon.client.health());
  const large = join(first.home, "../large");
  await fill(large, { agents, workspaces, pending });

  using ofLarge = await alone.daemon.clientFor(large);
  let open = false;
  const opening = ofLarge.call("list-agents", {}).finally(() => (open = true));
  const waits: number[] = [];
  while (!open) waits.push(await serveAlice(alone.daemon));
  expect(value(await opening).agents).toHaveLength(agents);
  const listed = value(await ofLarge.call("list-workspaces", {})).workspaces;
  expect(listed).toHaveLength(workspaces);
  const busy = Math.min(BUSY, agents, pending);
  await eventually(
    "every agent that has something to do is at work",
    async () => (await alone.daemon.client.health()).projects.some(({ running }) => running === busy),
    120_000,
  );
  waits.push(await serveAlice(alone.daemon));
  const after = megabytesOf(await alone.daemon.client.health());

  await using loaded = await restarted(alone.daemon);
  await serveAlice(loaded.daemon);
  await loaded.daemon.stop();
  expect(unanswered(join(large, ".workspace/agent-worker.db")), "messages that still wait").toBe(pending);

  expect(after - before, "megabytes more than with one agent").toBeLessThan(150 + agents / 50);
  expect(loaded.readyMs / alone.readyMs, "start of the daemon to that with one agent").toBeLessThan(5);
  return [
    `${agents} agents, ${workspaces} workspaces, ${pending} waiting`,
    `${after} MB (${before} MB with one agent)`,
    `ready after ${Math.round(loaded.readyMs)} ms (${Math.round(alone.readyMs)} ms)`,
    `others served in at most ${Math.round(Math.max(...waits))} ms, ${waits.length} times`,
  ].join("; ");
}

interface Restarted extends AsyncDisposable {
  readonly daemon: TestDaemon;
  readonly readyMs: number;
}

async function restarted(before: TestDaemon): Promise<Restarted> {
  await before.stop();
  const started = performance.now();
  const daemon = await before.restart();
  return {
    daemon,
    readyMs: performance.now() - started,
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}

async function serveAlice({ client }: TestDaemon): Promise<number> {
  const started = performance.now();
  expect(value(await client.serve({ agent: "alice", message: "are you there?" })).success).toBe(true);
  return performance.now() - started;
}

function megabytesOf({ memory }: { readonly memory: { readonly rss: number } }): number {
  return Math.round(memory.rss / 1024 ** 2);
}

async function fill(dir: string, { agents, workspaces, pending }: Load): Promise<void> {
  const write = (path: string, text: string): void => writeFileSync(join(dir, path), text);
  for (const folder of [".agents", ".workflows", "scripts"]) mkdirSync(join(dir, folder), { recursive: true });
  write("scripts/slow.yaml", SLOW);
  write(".workflows/pair.yaml", "name: pair\nagents: { a0: { ref: a0 }, a1: { ref: a1 } }\n");
  for (let n = 0; n < agents; n += 1) {
    write(`.agents/a${n}.yaml`, `name: a${n}\nbackend: mock\nmodel: scripts/slow.yaml\nprompt: { system: Wait. }\n`);
  }
  const parts = { clock: systemClock, random: systemRandom, log: silentLog, redactor: createRedactor() };
  await using project = await openProject({ dir, ...parts });
  for (let n = 0; n < workspaces; n += 1)
    await callOk(project, person, openWorkspace, { workflow: "pair", tag: `t${n}` });
  const busy = Math.min(BUSY, agents);
  for (let sent = 0; sent < pending; sent += 1_000) {
    const some = Array.from({ length: Math.min(1_000, pending - sent) }, (_, n) => sent + n);
    await Promise.all(
      some.map((n) => callOk(project, person, sendMessage, { to: `a${n % busy}`, message: `work ${n}` })),
    );
  }
}

function unanswered(file: string): number {
  using db = new DatabaseSync(file, { readOnly: true });
  return Number(db.prepare("SELECT count(*) AS n FROM delivery WHERE state < 2").get()?.["n"]);
}
