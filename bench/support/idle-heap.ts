import { connectToDaemon } from "../../src/client/connect.ts";
import { openDaemon } from "../../src/daemon/daemon.ts";

/** A child of `daemon`, run with `--expose-gc`: prints the bytes of heap of a daemon that has opened a project. HOME PROJECT */
const [home = "", projectDir = ""] = process.argv.slice(2);
await using _daemon = await openDaemon({ trustsAll: true, home, projectDir });
using client = await connectToDaemon({ home, projectDir });
const listed = await client.call("list-agents", {});
if (!listed.ok) throw new Error(listed.error.message);
const { gc } = globalThis;
if (gc === undefined) throw new Error("run it with --expose-gc");
for (let i = 0; i < 3; i += 1) gc();
process.stdout.write(`${process.memoryUsage().heapUsed}\n`);
