import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { spawnSupport } from "../../support/process/spawned.ts";
import { printedSeed } from "../../support/store/seed.ts";
import { openMirroredProject, plainMirror } from "../../support/team/mirrored-project.ts";
import { agentFile, REVIEW, workflowFile } from "../../support/team/team.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const KILLS = 3;
const LONGEST_LIFE_MS = 60;

const files = {
  ...agentFile("alice"),
  ...workflowFile("review", "agents: { alice: { ref: alice } }\nworkspace: { provider: file }\n"),
};

describe("a mirror whose process is killed", () => {
  it("[mirror.after-commit] shows every committed message once after the next start, and leaves nothing behind", async () => {
    using folder = temporaryFolder();
    const random = printedSeed("mirror kill");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(folder.in(path)), { recursive: true });
      writeFileSync(folder.in(path), text);
    }
    const mirror = folder.in(".workspace/review/main");
    for (let kill = 0; kill < KILLS; kill += 1) {
      await using sender = spawnSupport("mirror-process.ts", [folder.path, `life${kill}`]);
      await sender.line("sent 1");
      await sleep(random() * LONGEST_LIFE_MS);
      sender.kill();
      await sender.ended;

      await using project = await openMirroredProject(folder.path);
      await project.mirror.settled();
      const messages = await project.store.read((reads) => reads.messages.page({ space: REVIEW, limit: 1_000_000 }));
      expect(messages.length).toBeGreaterThan((kill + 1) * 3);
      expect(readFileSync(`${mirror}/channel.md`, "utf8")).toBe(plainMirror(messages));
      expect(readFileSync(`${mirror}/inbox/alice.md`, "utf8")).toContain("life0-0-1 @alice");
      expect(readdirSync(mirror, { recursive: true }).map(String).sort()).toEqual([
        ".mirrored",
        "channel.md",
        "inbox",
        "inbox/alice.md",
      ]);
    }
  }, 60_000);
});
