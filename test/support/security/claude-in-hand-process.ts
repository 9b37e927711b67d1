import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/**
 * Speaks as `claude -p --output-format stream-json` does. It hands what it was given for its run to whoever attacks, and
 * stays in its turn until the file `HAND.end` is there. HAND is a path that the agent's `env` names.
 */
const hand = process.env.HAND ?? "";
const say = (event: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify({ ...event, session_id: "hand" })}\n`);
};
say({ type: "system", subtype: "init", tools: [], mcp_servers: [] });
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
await input.next();
const config = readFileSync(process.argv[process.argv.indexOf("--mcp-config") + 1] ?? "", "utf8");
const { AGENT_WORKER_URL: url, AGENT_WORKER_TOKEN: token } = process.env;
writeFileSync(`${hand}.part`, JSON.stringify({ url, token, config: JSON.parse(config) as unknown }));
renameSync(`${hand}.part`, hand);
while (!existsSync(`${hand}.end`)) await pause(10);
const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
say({
  type: "assistant",
  parent_tool_use_id: null,
  message: { role: "assistant", content: [{ type: "text", text: "I am done." }] },
});
say({ type: "result", subtype: "success", is_error: false, result: "I am done.", usage, total_cost_usd: 0.001 });
await input.next();
process.exit(0);
