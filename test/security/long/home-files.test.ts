import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, expect } from "vitest";
import { connectToDaemon } from "../../../src/client/connect.ts";
import { commandFolder, type CommandFolder } from "../../support/daemon/installed-command.ts";
import { attack } from "../../support/security/attack.ts";
import { isRoot, STRANGER } from "../../support/security/private-files.ts";
import { SITE_FILES } from "../../support/security/site.ts";

const ENV = { AGENT_WORKER_PORT: "0", AGENT_WORKER_TRUST: "1" };
const LETTER = "the only copy of a letter\n";

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
}

async function examined(folder: CommandFolder, ...args: readonly string[]): Promise<Finding[]> {
  const { out } = await folder.run(["doctor", "--json", ...args], { env: ENV });
  return (JSON.parse(out) as { findings: Finding[] }).findings;
}

/** Resolves when none is left, also when none was there. */
async function stopDaemonOf(folder: CommandFolder): Promise<void> {
  if (!existsSync(folder.in(".agent-worker/daemon.json"))) return;
  using client = await connectToDaemon({ home: folder.in(".agent-worker") });
  await client.shutdown();
}

function plantIn(folder: CommandFolder, path: string, plant: (victim: string, at: string) => void): string {
  const victim = folder.in("letter.txt");
  writeFileSync(victim, LETTER);
  mkdirSync(dirname(folder.in(path)), { recursive: true });
  plant(victim, folder.in(path));
  return victim;
}

describe("the home of the daemon", () => {
  for (const file of ["daemon.log", "daemon.out"]) {
    for (const [kind, plant] of [["hard", linkSync] as const, ["symbolic", symlinkSync] as const]) {
      attack(`has logs/${file} as a ${kind} link to a file of the person [home.files]`, async () => {
        using folder = commandFolder(SITE_FILES);
        const victim = plantIn(folder, `.agent-worker/logs/${file}`, plant);
        try {
          expect(await folder.run(["daemon", "start"], { env: ENV })).toMatchObject({ exit: 0 });
        } finally {
          await stopDaemonOf(folder);
        }
        expect(readFileSync(victim, "utf8")).toBe(LETTER);
      });
    }
  }

  for (const [kind, plant] of [["hard", linkSync] as const, ["symbolic", symlinkSync] as const]) {
    attack(`has the lock as a ${kind} link to a file of the person [home.files]`, async () => {
      using folder = commandFolder(SITE_FILES);
      const victim = plantIn(folder, ".agent-worker/daemon.lock", plant);
      const answer = await folder.run(["daemon", "start"], { env: ENV });
      expect(answer.exit).not.toBe(0);
      expect(answer.err).toMatch(/daemon\.lock .* link/);
      expect(readFileSync(victim, "utf8")).toBe(LETTER);
    });
  }
});

describe("agent-worker doctor", () => {
  attack(
    "files of .workspace and of the home stay open to everyone, and nobody says so [workspace.doctor]",
    async () => {
      using folder = commandFolder(SITE_FILES);
      const files = [
        ".workspace/notes/main/channel.md",
        ".workspace/agent-worker.db.lock",
        ".agent-worker/projects.json",
      ];
      for (const file of files) {
        mkdirSync(dirname(folder.in(file)), { recursive: true });
        writeFileSync(folder.in(file), "");
        chmodSync(folder.in(file), 0o644);
      }
      chmodSync(folder.in(".workspace"), 0o755);
      const found = (await examined(folder)).filter(({ state }) => state === "problem");
      for (const file of [...files, ".workspace"]) {
        expect(found).toContainEqual(
          expect.objectContaining({ message: expect.stringContaining(`${file} has mode 0`) }),
        );
      }
      expect(statSync(folder.in(".workspace")).mode & 0o777).toBe(0o755);
      await examined(folder, "--fix");
      for (const file of files) expect(statSync(folder.in(file)).mode & 0o777, file).toBe(0o600);
      expect(statSync(folder.in(".workspace")).mode & 0o777).toBe(0o700);
      expect((await examined(folder)).filter(({ check }) => ["home", "workspace"].includes(check))).toMatchObject([
        { state: "ok" },
        { state: "ok" },
      ]);
    },
  );

  attack("a planted link is repaired, which changes the file it leads to [workspace.doctor]", async () => {
    const repairs = async (plant: (victim: string, at: string) => void, why: RegExp): Promise<void> => {
      using folder = commandFolder(SITE_FILES);
      const victim = plantIn(folder, ".workspace/agent-worker.db", plant);
      chmodSync(victim, 0o644);
      const found = await examined(folder, "--fix");
      expect(found).toContainEqual(
        expect.objectContaining({ check: "workspace", state: "problem", message: expect.stringMatching(why) }),
      );
      expect(found).toContainEqual(expect.objectContaining({ check: "database", state: "problem" }));
      expect(statSync(victim).mode & 0o777).toBe(0o644);
      expect(readFileSync(victim, "utf8")).toBe(LETTER);
      expect(lstatSync(victim).size).toBe(LETTER.length);
    };
    await Promise.all([repairs(linkSync, /hard link/), repairs(symlinkSync, /symbolic link/)]);
  });

  if (isRoot) {
    attack("a file of another user in .workspace goes unseen [workspace.doctor]", async () => {
      using folder = commandFolder({ ...SITE_FILES, ".workspace/agent-worker.db.commits": "1" });
      chownSync(folder.in(".workspace/agent-worker.db.commits"), STRANGER, STRANGER);
      expect(await examined(folder, "--fix")).toContainEqual(
        expect.objectContaining({
          check: "workspace",
          state: "problem",
          message: expect.stringContaining("another user"),
        }),
      );
    });
  }
});
