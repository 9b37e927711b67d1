import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Client } from "../client/client.ts";
import { connectToAddress } from "../client/connect.ts";
import { openDaemon } from "../daemon/daemon.ts";
import { systemClock } from "../kernel/clock.ts";
import type { ProposalDefinition } from "../operations/own-proposals/definition.ts";
import { scriptedEngine, type Script, type ScriptedEngine } from "./scripted-engine.ts";

/** A team under test: a whole daemon in this process, with a home and a project in a folder that is deleted after it. */
export interface TestTeam extends AsyncDisposable {
  readonly client: Client;
  readonly engine: ScriptedEngine;
  /** Absolute path of the project. */
  readonly project: string;
}

export interface TestTeamOptions {
  /** Files of the project by their path: `.agents/alice.yaml`, `.workflows/review.yaml`. */
  readonly files: Readonly<Record<string, string>>;
  /** Plays every step of every agent on `backend: mock`. */
  readonly script: Script;
  /** In addition to those in `.agents/proposals/` of the project. */
  readonly proposals?: readonly ProposalDefinition[];
}

export async function openTestTeam({ files, script, proposals = [] }: TestTeamOptions): Promise<TestTeam> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agent-worker-test-")));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  const engine = scriptedEngine(script);
  const home = join(folder, "home");
  const daemon = opened.use(
    await openDaemon({ trustsAll: true, home, projectDir: project, engines: new Map([["mock", engine]]), proposals }),
  );
  const client = opened.use(
    await connectToAddress({ url: daemon.url, token: daemon.token }, { clock: systemClock, projectDir: project }),
  );
  const closing = opened.move();
  return { client, engine, project, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
