import type { Client } from "../../src/client/client.ts";
import { connectToDaemon } from "../../src/client/connect.ts";
import { spawnDaemon } from "../support/spawned-daemon.ts";
import type { SpawnedServer } from "../support/spawned-server.ts";
import { foldersIn, writeProject } from "./agent-worker-project.ts";
import { serveProgram } from "./serve-program.ts";
import { HOPS, QUESTION, STEP_AGENTS, type Run, type Setup } from "./setup.ts";

/** agent-worker from this clone: a daemon with its workers, asked over HTTP, watched by its stream of events. */
interface Waiting {
  left: number;
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

const waiting = new Map<string, Waiting>();
/** A client sends a few messages at a time, however many runs they begin. */
const SENDERS = 8;
const turns: (() => void)[] = [];
let sending = 0;
let daemon: SpawnedServer;
let client: Client;

await serveProgram({
  async start(setup: Setup) {
    const { home, project } = foldersIn(setup.folder);
    writeProject(setup);
    daemon = await spawnDaemon({ home, project, env: { BENCH_KEY: "bench-0123456789" } });
    client = await connectToDaemon({ home, projectDir: project });
    void follow();
    return [daemon.pid];
  },
  async run(run) {
    const name = agentFor(run);
    const ended = endOf(name, 1);
    await send(name);
    await ended;
  },
  async handOver(id) {
    const ended = endOf(`@pair:${id}`, HOPS);
    const started = await client.serve({ workflow: "pair", tag: id, until: "started" });
    if (!started.ok) throw new Error(started.error.message);
    await ended;
  },
  // The daemon went on with the run when it started. Its end may be over already: main looks at the model server.
  resume: async () => "resumes",
  async stop() {
    client[Symbol.dispose]();
    await daemon[Symbol.asyncDispose]();
  },
});

async function send(to: string): Promise<void> {
  if (sending >= SENDERS) await new Promise<void>((turn) => turns.push(turn));
  else sending += 1;
  try {
    const sent = await client.call("send-message", { to, message: QUESTION });
    if (!sent.ok) throw new Error(sent.error.message);
  } finally {
    const next = turns.shift();
    if (next === undefined) sending -= 1;
    else next();
  }
}

function agentFor({ kind, number }: Run): string {
  if (kind === "steps") return `steps${((number - 1) % STEP_AGENTS) + 1}`;
  return kind === "many" ? `a${number}` : kind;
}

/** Resolves when so many runs of the agent, or in the workspace, have ended with an answer. */
function endOf(key: string, runs: number): Promise<void> {
  return new Promise((done, fail) => waiting.set(key, { left: runs, done, fail }));
}

/** From the first event on: nothing is missed, whenever the stream begins. */
async function follow(): Promise<void> {
  for await (const event of client.events({ since: 0 })) {
    if (event.type !== "run.ended") continue;
    const { space, agent, outcome } = event;
    const key = [String(agent), String(space)].find((each) => waiting.has(each));
    const entry = key === undefined ? undefined : waiting.get(key);
    if (entry === undefined || key === undefined) continue;
    if (outcome !== "answered") entry.fail(new Error(`the run of ${key} ended as ${String(outcome)}`));
    else if ((entry.left -= 1) > 0) continue;
    waiting.delete(key);
    entry.done();
  }
}
