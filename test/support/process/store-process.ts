/**
 * A store in a process of its own, told what to do by lines on stdin:
 * `together ID COUNT` sends that many messages in one turn, `chain ID COUNT` one after the other, each its own commit,
 * `count` counts. It answers `acked ID N` (N = how often the log had been flushed by then), `failed ID CODE`,
 * `count N`, and `done ID`.
 */
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { ok } from "../../../src/kernel/result.ts";
import { message } from "../../../src/testing/store-conformance/records.ts";
import { openStoreFile } from "../store/sqlite-store.ts";

const [file = ""] = process.argv.slice(2);
const flushLog = process.env["FSYNC_LOG"];

function flushes(): number {
  if (flushLog === undefined || !existsSync(flushLog)) return 0;
  return readFileSync(flushLog, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("-wal")).length;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

try {
  const store = openStoreFile(file);
  console.log(`opened ${store.lostCommits}`);
  const send = async (id: string): Promise<void> => {
    try {
      await store.transact(async (writes) => ok(await writes.messages.append(message(id), null)));
      console.log(`acked ${id} ${flushes()}`);
    } catch (error) {
      console.log(`failed ${id} ${codeOf(error)}`);
    }
  };
  const commands: Readonly<Record<string, (id: string, count: number) => Promise<void>>> = {
    together: async (id, count) => {
      await Promise.all(Array.from({ length: count }, (_, n) => send(`${id}-${n}`)));
    },
    chain: async (id, count) => {
      for (let n = 0; n < count; n += 1) await send(`${id}-${n}`);
    },
    count: async () => {
      const page = await store.read((reads) => reads.messages.page({ space: "@review:main", limit: 1_000_000 }));
      console.log(`count ${page.length}`);
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const [command = "", id = "", count = "0"] = line.split(" ");
    await commands[command]?.(id, Number(count));
    console.log(`done ${id}`);
  }
} catch (error) {
  console.log(`refused ${codeOf(error)} ${error instanceof Error ? error.message : ""}`);
  process.exitCode = 1;
}
