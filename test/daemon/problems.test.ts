import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findProblems } from "../../src/daemon/problems.ts";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";

it("a daemon without free descriptors says so to those it still hears, works on, and recovers", async () => {
  await using daemon = await startTestDaemon({ openFiles: 90 });
  const { client } = daemon;
  const limit = 200;
  const sockets: Socket[] = [];
  const port = Number(new URL(daemon.url).port);
  const isDegraded = async () => (await client.health()).problems.join().includes("limit of open files");
  for (let count = 0; count < limit && !(await isDegraded()); count += 1) {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    sockets.push(socket);
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
  }
  try {
    expect(await client.health()).toMatchObject({ status: "degraded" });
    value(await client.call("list-dead-letters", {}));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await eventually("it has recovered", async () => (await client.health()).status === "ready");
});

// Mounting a small disk is the privilege of root; elsewhere there is none to fill.
const disk = mkdtempSync(join(tmpdir(), "small-disk-"));
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status === 0;

afterAll(() => {
  if (mounted) spawnSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

it.skipIf(!mounted)(
  "a disk without room, a project that failed and a log that lost lines are told (skipped where no disk can be mounted)",
  () => {
    spawnSync("dd", ["if=/dev/zero", `of=${join(disk, "filling")}`]);
    const well = { home: tmpdir(), projects: [], failed: new Map<string, string>(), droppedLines: 0 };
    expect(findProblems(well)).toEqual([]);
    const found = findProblems({
      home: disk,
      projects: [
        {
          dir: tmpdir(),
          store: { lostCommits: 3 },
          services: { storeUpkeep: { problem: () => null }, node: { problem: () => null } },
        },
      ],
      failed: new Map([["/some/where", "it is damaged"]]),
      droppedLines: 7,
    });
    expect(found).toEqual([
      `the disk of ${disk} is full`,
      "the project /some/where could not be opened: it is damaged",
      `the database of ${tmpdir()} lost 3 acknowledged commits`,
      "the log cannot be written: 7 lines were lost",
    ]);
  },
);
