import { setTimeout as pause } from "node:timers/promises";
import { startFakeModelServer } from "../../test/support/engine/fake-model-server/server.ts";

/**
 * A child of benches: a model that thinks as many milliseconds as its first argument says and calls a tool (the third)
 * as often as its second says before it answers.
 */
const [thinks = "0", calls = "0", tool = "my_inbox"] = process.argv.slice(2);

const server = await startFakeModelServer(async ({ messages }) => {
  await pause(Number(thinks));
  const called = JSON.stringify(messages).split('"tool_result"').length - 1;
  return called < Number(calls) ? { toolCalls: [{ name: tool, args: {} }] } : { text: "Done." };
});
process.stdout.write(`${server.url}\n`);
process.on("SIGTERM", () => process.exit());
