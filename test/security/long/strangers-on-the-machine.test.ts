import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { connectToDaemon } from "../../../src/client/connect.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { commandFolder } from "../../support/daemon/installed-command.ts";
import { value } from "../../support/result.ts";
import { attack } from "../../support/security/attack.ts";
import { isRoot, runWithUmask, STRANGER, widerThanOurs } from "../../support/security/private-files.ts";
import { SITE_FILES } from "../../support/security/site.ts";

const TRUSTED = { AGENT_WORKER_TRUST: "1" };
const SOON = { timeout: 20_000, interval: 20 };
const DATABASE = ".workspace/agent-worker.db";

/**
 * Works in a project until it has every kind of file, and ends the daemon that did it. The daemon and the command that
 * writes files itself are started under the umask; the rest is the daemon's work.
 */
async function workUnder(umask: string, project: string, env: Readonly<Record<string, string>>): Promise<void> {
  const run = async (args: readonly string[]): Promise<void> => {
    const answer = await runWithUmask(umask, args, { cwd: project, env });
    expect(answer, args.join(" ")).toMatchObject({ exit: 0 });
  };
  await run(["daemon", "start"]);
  using client = await connectToDaemon({ home: join(project, ".agent-worker"), projectDir: project, env });
  try {
    value(await client.serve({ workflow: "notes", until: "started" }));
    value(await client.call("send-message", { to: "@notes", message: "hello @alice" }));
    for (const content of ["first", "second"]) {
      value(await client.call("write-document", { target: "@notes", file: "week/plan.md", content }));
    }
    value(await client.call("set-memory", { agent: "alice", key: "tea", value: "green" }));
    value(await client.call("search-memory", { agent: "alice", query: "tea" }));
    for (const file of ["notes/main/channel.md", "notes/main/inbox/alice.md", "index/memory.db"]) {
      await expect.poll(() => existsSync(join(project, ".workspace", file)), SOON).toBe(true);
    }
    expect(widerThanOurs(join(project, ".workspace"))).toEqual([]);
  } finally {
    await client.shutdown();
  }
}

/** A process of another user that holds a read lock on these bytes of a file, until it leaves scope. */
async function readLock(file: string, start: number, length: number): Promise<AsyncDisposable> {
  const program = `use Fcntl; $| = 1; open(my $f, "<", $ARGV[0]) or die "closed: $!\\n";
    fcntl($f, F_SETLK, pack("s s x4 q q l x4", F_RDLCK, 0, $ARGV[1], $ARGV[2], 0)) or die "not locked: $!\\n";
    print "held\\n"; sleep;`;
  const child = spawn("perl", ["-e", program, file, String(start), String(length)], {
    uid: STRANGER,
    gid: STRANGER,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  await Promise.race([
    once(child.stdout, "data"),
    ended.then(() => {
      throw new Error("the stranger holds no lock");
    }),
  ]);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Lets everybody enter the folders above a project, as they can enter most people's. */
function openParents(project: string, to: string): void {
  for (let folder = project; folder.length >= to.length; folder = dirname(folder)) chmodSync(folder, 0o755);
}

describe("another user of the machine", () => {
  for (const umask of ["000", "002", "022"]) {
    attack(
      `reads what was written under umask ${umask} [workspace.ours]`,
      async () => {
        using folder = commandFolder(SITE_FILES);
        const env = { HOME: folder.path, AGENT_WORKER_PORT: "0", ...TRUSTED };
        await workUnder(umask, folder.path, env);
        expect(widerThanOurs(folder.in(".workspace"))).toEqual([]);
        expect(widerThanOurs(folder.in(".agent-worker"))).toEqual([]);
        // What people write themselves keeps the mode that they chose.
        expect(statSync(folder.in(".agents")).mode & 0o700).toBe(0o700);
      },
      60_000,
    );
  }

  /** One after the other, of the same project: an attack that ends the daemon leaves the next one. */
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon({ files: SITE_FILES, env: TRUSTED });
  });
  afterAll(() => daemon?.[Symbol.asyncDispose]());
  const startAgain = async (): Promise<void> => {
    daemon.client[Symbol.dispose]();
    daemon = await daemon.restart();
  };

  attack("reads what an older version left open to everyone [workspace.ours]", async () => {
    const before = daemon.client;
    value(await before.serve({ workflow: "notes", until: "started" }));
    value(await before.call("write-document", { target: "@notes", file: "plan.md", content: "first" }));
    value(await before.call("set-memory", { agent: "alice", key: "tea", value: "green" }));
    value(await before.call("search-memory", { agent: "alice", query: "tea" }));
    await daemon.stop();
    const folder = join(daemon.project, ".workspace");
    const widen = (): void => {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
      }
      chmodSync(folder, 0o755);
    };
    widen();
    await startAgain();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const end of ["", "-wal", "-shm", ".lock", ".commits"]) {
      expect(statSync(join(folder, `agent-worker.db${end}`)).mode & 0o777, end).toBe(0o600);
    }
    const { client } = daemon;
    value(await client.call("send-message", { to: "@notes", message: "hello" }));
    value(await client.call("write-document", { target: "@notes", file: "plan.md", content: "second" }));
    value(await client.call("search-memory", { agent: "alice", query: "tea" }));
    await expect.poll(() => widerThanOurs(folder), SOON).toEqual([]);
  });

  if (isRoot && spawnSync("perl", ["-v"]).status === 0) {
    attack("opens the database, its log or its lock [workspace.ours]", async () => {
      value(await daemon.client.call("send-message", { to: "alice", message: "hello" }));
      openParents(daemon.project, dirname(daemon.home));
      for (const end of ["", "-wal", "-shm", ".lock", ".commits"]) {
        const reader = spawnSync("cat", [join(daemon.project, `${DATABASE}${end}`)], { uid: STRANGER, gid: STRANGER });
        expect(reader.status, end).not.toBe(0);
      }
    });

    /** The bytes that SQLite locks: in a database file, and in the index of its log. */
    const SHARED = [0x4000_0000, 512] as const;
    const WRITE = [120, 8] as const;
    for (const [end, [start, length]] of [
      [".lock", SHARED],
      ["-shm", WRITE],
      ["", SHARED],
    ] as const) {
      attack(
        `keeps a read lock on agent-worker.db${end} from the days when it was readable [workspace.lock]`,
        async () => {
          value(await daemon.client.call("send-message", { to: "alice", message: "hello" }));
          await daemon.stop("SIGKILL");
          const folder = join(daemon.project, ".workspace");
          for (const each of ["", "-wal", "-shm", ".lock"])
            chmodSync(join(daemon.project, `${DATABASE}${each}`), 0o644);
          openParents(folder, dirname(daemon.home));
          await using _stranger = await readLock(join(daemon.project, `${DATABASE}${end}`), start, length);
          await startAgain();
          value(await daemon.client.call("send-message", { to: "alice", message: "still there" }));
          expect(widerThanOurs(folder)).toEqual([]);
        },
      );
    }
  }
});
