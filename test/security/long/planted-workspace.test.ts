import { execFileSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { Fault } from "../../../src/kernel/fault.ts";
import { startCommandedDaemon, type CommandedDaemon } from "../../support/daemon/commanded-daemon.ts";
import { refused, value } from "../../support/result.ts";
import { attack } from "../../support/security/attack.ts";
import { isRoot, STRANGER } from "../../support/security/private-files.ts";
import { newSite, SITE_FILES, type Site } from "../../support/security/site.ts";

const TRUSTED = { AGENT_WORKER_TRUST: "1" };
const DATABASE = ".workspace/agent-worker.db";
const SOON = { timeout: 20_000, interval: 20 };
const VICTIM = "the only copy of a letter\n";

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: SITE_FILES, env: TRUSTED });
}, 60_000);
afterAll(() => daemon[Symbol.asyncDispose]());

const newProject = (files: Readonly<Record<string, string>> = {}): Site => newSite(daemon, files);

/** Sends a message, and returns why the daemon does not take it. */
async function refusalOf({ project }: Site): Promise<string> {
  using client = await daemon.clientFor(project);
  const sent = client.call("send-message", { to: "alice", message: "hello" });
  const why: unknown = await sent.then(refused, (fault: unknown) => fault);
  if (!(why instanceof Fault)) throw new Error(`not refused for what was planted: ${JSON.stringify(why)}`);
  return why.message;
}

/** Starts a workflow, and writes and says something there, as far as it goes. */
async function workIn({ project }: Site, workflow: string): Promise<void> {
  using client = await daemon.clientFor(project);
  await client.serve({ workflow, until: "started" }).catch(onlyFault);
  await client.call("write-document", { target: `@${workflow}`, file: "plan.md", content: "text" }).catch(onlyFault);
  await client.call("send-message", { to: `@${workflow}`, message: "hello" }).catch(onlyFault);
}

function onlyFault(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}

/** What somebody may put in the place of a file of ours. Each leads to the letter, or to nothing at all. */
const PLANTS: Readonly<Record<string, { plant(victim: string, at: string): void; why: RegExp }>> = {
  "a symbolic link": { plant: (victim, at) => symlinkSync(victim, at), why: /symbolic link/ },
  "a hard link": { plant: (victim, at) => linkSync(victim, at), why: /hard link/ },
  "a pipe": { plant: (_victim, at) => void execFileSync("mkfifo", [at]), why: /not a regular file/ },
  "a file of another user": {
    plant: (_victim, at) => {
      writeFileSync(at, "");
      chownSync(at, STRANGER, STRANGER);
    },
    why: /another user/,
  },
};

const DATABASE_FILES = ["", "-wal", "-shm", "-journal", ".lock", ".commits"].map((end) => `${DATABASE}${end}`);
const EVERY_FILE = [...DATABASE_FILES, ".workspace/index/memory.db", ".workspace/index/memory.db-wal"];

function plantedRows(): [string, string][] {
  const kinds = Object.keys(PLANTS).filter((kind) => isRoot || kind !== "a file of another user");
  return kinds.flatMap((kind) => EVERY_FILE.map((file): [string, string] => [kind, file]));
}

describe("a project that comes with a .workspace of its own", () => {
  for (const [kind, file] of plantedRows()) {
    attack(`plants ${kind} as ${file} [workspace.unsafe]`, async () => {
      const site = newProject();
      const victim = site.elsewhere("letter.txt");
      writeFileSync(victim, VICTIM);
      mkdirSync(dirname(site.in(file)), { recursive: true });
      PLANTS[kind]?.plant(victim, site.in(file));
      const why = await refusalOf(site);
      expect(why).toContain(file.slice(file.lastIndexOf("/") + 1));
      expect(why).toMatch(PLANTS[kind]?.why ?? /never/);
      expect(readFileSync(victim, "utf8")).toBe(VICTIM);
      expect(readdirSync(dirname(victim))).toEqual(["letter.txt"]);
    });
  }

  attack("makes .workspace a link to another folder [workspace.unsafe]", async () => {
    const site = newProject();
    symlinkSync(dirname(site.elsewhere("x")), site.in(".workspace"));
    const answer = await site.run(["send", "alice", "hello"]);
    expect(answer).toMatchObject({ exit: 3, out: "" });
    expect(answer.err).toMatch(/\.workspace.*symbolic link/);
    for (const args of [["start", "notes"], ["init"], ["doctor"]]) await site.run(args);
    expect(readdirSync(dirname(site.elsewhere("x")))).toEqual([]);
  });

  attack("makes .workspace a link to its own definitions", async () => {
    const site = newProject();
    symlinkSync(".agents", site.in(".workspace"));
    expect(await refusalOf(site)).toMatch(/\.workspace.*symbolic link/);
    expect(readdirSync(site.in(".agents"))).toEqual(["alice.yaml"]);
  });

  attack("makes the folder of the memory index a link [workspace.unsafe]", async () => {
    const site = newProject();
    mkdirSync(site.in(".workspace"));
    symlinkSync(dirname(site.elsewhere("x")), site.in(".workspace/index"));
    for (let times = 0; times < 2; times += 1) {
      expect(await refusalOf(site)).toMatch(/index.*symbolic link/);
    }
    expect(readdirSync(dirname(site.elsewhere("x")))).toEqual([]);
  });

  attack("names a store behind a link, outside of .workspace [workspace.unsafe]", async () => {
    const site = newProject({ "moniro.yaml": "store: { path: data/team.db }\n" });
    symlinkSync(dirname(site.elsewhere("x")), site.in("data"));
    expect(await refusalOf(site)).toMatch(/data.*symbolic link/);
    await site.run(["doctor"]);
    expect(readdirSync(dirname(site.elsewhere("x")))).toEqual([]);
  });

  attack("makes the folder of a workspace a link", async () => {
    const site = newProject();
    mkdirSync(site.in(".workspace/notes"), { recursive: true });
    symlinkSync(dirname(site.elsewhere("x")), site.in(".workspace/notes/main"));
    await workIn(site, "notes");
    expect(readdirSync(dirname(site.elsewhere("x")))).toEqual([]);
  });

  attack("makes the folder that a workflow is bound to a link", async () => {
    const site = newProject();
    symlinkSync(dirname(site.elsewhere("x")), site.in("shared"));
    await workIn(site, "bound");
    expect(readdirSync(dirname(site.elsewhere("x")))).toEqual([]);
  });

  for (const [folder, planted] of [
    [".workspace", "worktrees"],
    [".workspace/worktrees", "ann@build.main"],
  ] as const) {
    attack(`makes ${folder}/${planted} a link, so that an agent works elsewhere [workspace.unsafe]`, async () => {
      const site = newProject({
        ".agents/ann.yaml": "name: ann\nbackend: claude\nworktree: true\nprompt: { system: Hi. }\n",
        ".workflows/build.yaml": "name: build\nagents: { ann: { ref: ann } }\n",
      });
      const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: site.project });
      git("init", "-q");
      git("add", ".agents", ".workflows");
      git("-c", "user.name=Zoe", "-c", "user.email=zoe@example.com", "commit", "-q", "-m", "first");
      mkdirSync(site.in(folder), { recursive: true });
      mkdirSync(site.elsewhere(".git"));
      symlinkSync(dirname(site.elsewhere("x")), site.in(`${folder}/${planted}`));
      const answer = await site.run(["run", "build", "hello @ann"]);
      expect(`${answer.out}${answer.err}`).toMatch(/worktrees.* is not a real folder/);
      expect(readdirSync(dirname(site.elsewhere("x")))).toEqual([".git"]);
    });
  }

  attack("plants a hard link in the place of a mirrored channel", async () => {
    const site = newProject();
    const victim = site.elsewhere("letter.txt");
    writeFileSync(victim, VICTIM);
    using client = await daemon.clientFor(site.project);
    value(await client.serve({ workflow: "notes", until: "started" }));
    const channel = site.in(".workspace/notes/main/channel.md");
    await expect.poll(() => existsSync(channel), SOON).toBe(true);
    rmSync(channel);
    linkSync(victim, channel);
    value(await client.call("send-message", { to: "@notes", message: "one for the mirror" }));
    await expect.poll(() => readFileSync(channel, "utf8"), SOON).toContain("one for the mirror");
    expect(readFileSync(victim, "utf8")).toBe(VICTIM);
    expect(lstatSync(channel)).toMatchObject({ nlink: 1 });
  });

  attack("plants a draft that is a link to a file of the person [workspace.unsafe]", async () => {
    for (const plant of [symlinkSync, linkSync]) {
      const site = newProject();
      const victim = site.elsewhere("letter.txt");
      writeFileSync(victim, VICTIM);
      mkdirSync(site.in(".workspace/drafts"), { recursive: true });
      plant(victim, site.in(".workspace/drafts/alice.yaml"));
      writeFileSync(site.in(".workspace/drafts/alice.yaml.base"), readFileSync(site.in(".agents/alice.yaml")));
      const editor = join(site.project, "editor.sh");
      writeFileSync(editor, '#!/bin/sh\necho "# edited" >> "$1"\n', { mode: 0o755 });
      const answer = await site.run(["agent", "edit", "alice"], { EDITOR: editor });
      expect(answer).toMatchObject({ exit: 3, err: expect.stringMatching(/alice\.yaml.* link/) });
      expect(readFileSync(victim, "utf8")).toBe(VICTIM);
    }
  });

  if (isRoot) {
    attack("leaves a .workspace that belongs to another user [workspace.unsafe]", async () => {
      const site = newProject();
      mkdirSync(site.in(".workspace"));
      chownSync(site.in(".workspace"), STRANGER, STRANGER);
      expect(await refusalOf(site)).toMatch(/\.workspace.*another user/);
      expect(readdirSync(site.in(".workspace"))).toEqual([]);
    });
  }
});
