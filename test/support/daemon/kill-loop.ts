import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { NO_EVENTS } from "../../../src/domain/event.ts";
import type { Random } from "../../../src/kernel/random.ts";
import type { StoreReads } from "../../../src/ports/store/store.ts";
import { spawnSupport } from "../process/spawned.ts";
import { openSenderProject, SENDER_SPACE } from "../team/sender-project.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const LONGEST_LIFE_MS = 150;
const REPEATED = 40;

/**
 * Kills a sending project again and again, some times before it is even open, and then looks: everything acknowledged
 * is there once, whatever was repeated is there once, and nothing has to be cleaned up by hand.
 */
export async function killLoop(kills: number, random: Random): Promise<string> {
  using folder = temporaryFolder();
  /** Key to message id, as acknowledged. */
  const acked = new Map<string, string>();
  let highest = 0;
  let startupMs = 500;
  let early = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const repeats = repeatable(acked, highest, random);
    const started = performance.now();
    await using sender = spawnSupport("sender-process.ts", [folder.path, String(highest), repeats.join(",")]);
    if (kill > 0 && random() < 0.3) {
      early += 1;
      await sleep(random() * startupMs);
    } else {
      expect(await sender.line("opened")).toBe("opened 0");
      startupMs = performance.now() - started;
      // At least one life comes to something, however slow the machine is.
      if (kill === 0) await sender.line("acked");
      await sleep(random() * LONGEST_LIFE_MS);
    }
    sender.kill();
    await sender.ended;
    for (const line of sender.lines) {
      const [kind, key = "", id = ""] = line.split(" ");
      if (kind !== "acked") continue;
      expect(acked.get(key) ?? id, `the receipt of ${key} changed`).toBe(id);
      acked.set(key, id);
      highest = Math.max(highest, Number(key.slice(1)));
    }
  }
  await checkWhatIsKept(folder.path, acked);
  return `${kills} kills (${early} of them early), ${acked.size} messages acknowledged`;
}

/** Keys to send again: the newest that were acknowledged, and those around them that may or may not have arrived. */
function repeatable(acked: ReadonlyMap<string, string>, highest: number, random: Random): string[] {
  const newest = [...acked.keys()].slice(-REPEATED).filter(() => random() < 0.5);
  const uncertain = Array.from({ length: REPEATED }, (_, n) => `k${highest - n}`).filter(
    (key) => Number(key.slice(1)) > 0 && !acked.has(key),
  );
  return [...newest, ...uncertain];
}

async function checkWhatIsKept(dir: string, acked: ReadonlyMap<string, string>): Promise<void> {
  await using project = await openSenderProject(dir);
  expect(project.store.lostCommits).toBe(0);
  expect(await project.store.findDamage()).toEqual([]);
  await project.store.read(async (reads) => {
    const messages = await reads.messages.page({ space: SENDER_SPACE, limit: 10_000_000 });
    const idOf = new Map(messages.map(({ id, body }) => [body.split(" ").at(-1) ?? "", id]));
    expect(idOf.size, "no key was posted twice").toBe(messages.length);
    const missing = [...acked].filter(([key, id]) => idOf.get(key) !== id);
    expect(missing, "acknowledged and not there").toEqual([]);

    const ids = messages.map(({ id }) => id);
    expect(await inboxIds(reads, "alice")).toEqual(ids);
    expect(await inboxIds(reads, "bob")).toEqual(ids);
    expect(await reads.deliveries.countOpen(SENDER_SPACE)).toBe(2 * ids.length);
    const { events } = await reads.events.after(NO_EVENTS, 10_000_000);
    expect(events.flatMap((event) => (event.type === "message.posted" ? [event.message] : []))).toEqual(ids);
  });
  const files = readdirSync(join(dir, ".workspace")).filter((name) => name.startsWith("agent-worker.db"));
  expect(files.filter((name) => !/^agent-worker\.db(-wal|-shm|\.lock|\.commits)?$/.test(name))).toEqual([]);
}

async function inboxIds(reads: StoreReads, mailbox: string): Promise<string[]> {
  const inbox = await reads.deliveries.inbox({ mailbox, space: SENDER_SPACE, limit: 10_000_000 });
  return inbox.map(({ message }) => message.id);
}
