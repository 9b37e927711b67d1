/** A daemon as a process of its own: `PROJECT [PORT [HOST]]`. Prints one line of JSON when it is ready. */
import { runDaemon } from "../../../src/daemon/main.ts";
import { readNode } from "../../../src/cli/commands/daemon/node-options.ts";
import { Fault } from "../../../src/kernel/fault.ts";

// A bug that nothing catches, for those who ask for one.
process.on("SIGUSR2", () => {
  throw new Error("a planted bug");
});

const [projectDir, port, host] = process.argv.slice(2);
try {
  process.exitCode = await runDaemon({
    env: process.env,
    trustsAll: process.env["AGENT_WORKER_TRUST"] === "1",
    node: readNode({}, process.env),
    ...(projectDir === undefined || projectDir === "" ? {} : { projectDir }),
    ...(port === undefined || port === "" ? {} : { port: Number(port) }),
    ...(host === undefined ? {} : { host }),
    onReady: ({ url, instance }) => console.log(JSON.stringify({ url, instance, pid: process.pid })),
    onWarning: (text) => console.error(text),
  });
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  console.error(`${error.code}: ${error.message} ${error.hint ?? ""}`);
  process.exitCode = 3;
}
