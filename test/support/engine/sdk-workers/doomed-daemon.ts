import { fileURLToPath } from "node:url";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { spawnWorker } from "../../../../src/engines/sdk/worker-process.ts";

/** Starts a worker, says which, and waits to be killed. */
const worker = await spawnWorker(
  {
    entry: fileURLToPath(new URL("../../../../src/engines/sdk/worker.ts", import.meta.url)),
    env: {},
    memoryLimitMb: 256,
  },
  systemClock,
);
await worker.ready;
process.stdout.write(String(worker.pid));
