import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { spawnSupport } from "../../support/process/spawned.ts";
import { printedSeed } from "../../support/store/seed.ts";
import { conversationKept } from "../../support/team/conversation.ts";
import { openMirroredProject, plainMirror } from "../../support/team/mirrored-project.ts";
import { agentFile } from "../../support/team/team.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const KILLS = 4;
const LONGEST_LIFE_MS = 120;

it("keeps every direct message once, wherever the process is killed [conversation.day-file]", async () => {
  using folder = temporaryFolder();
  const random = printedSeed("conversation kill");
  for (const [path, text] of Object.entries({ ...agentFile("alice"), ...agentFile("bob") })) {
    mkdirSync(dirname(folder.in(path)), { recursive: true });
    writeFileSync(folder.in(path), text);
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await using child = spawnSupport("conversation-process.ts", [folder.path, `life${kill}`]);
    await child.line("said 1");
    await sleep(random() * LONGEST_LIFE_MS);
    child.kill();
    await child.ended;

    await using project = await openMirroredProject(folder.path);
    for (const agent of ["alice", "bob"]) {
      await conversationKept(project, agent);
      const messages = await project.store.read((store) => store.messages.page({ space: agent, limit: 1_000_000 }));
      expect(messages.length).toBeGreaterThan(kill);
      expect(keptOf(folder.in(`.agents/${agent}/conversations`))).toBe(plainMirror(messages));
    }
  }
}, 60_000);

/** Everything in the files, oldest first: what was set aside, in the order it was, and then what was not. */
function keptOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));
  return files
    .toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

/** Day first; of one day the copies in the archive by their number, and the file that is in use last. */
function orderOf(name: string): string {
  const [, archived, day = "", copy = "1"] = /^(archive\/)?(\d{4}-\d{2}-\d{2})(?:-(\d+))?\.md$/.exec(name) ?? [];
  return `${day} ${archived === undefined ? "9999" : copy.padStart(4, "0")}`;
}
