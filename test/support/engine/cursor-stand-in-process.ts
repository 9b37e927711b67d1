import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { EngineMove } from "../../../src/testing/engine-conformance.ts";

/**
 * Speaks as `cursor-agent --print --output-format stream-json` is documented to, with a model that follows a script. The
 * script is in the file that STAND_IN names, and what was played is taken out of it, so that the next start goes on
 * where this one stopped. It finds the team's tools where Cursor would: in the plugin it was started with.
 */
const file = process.env.STAND_IN ?? "";
const option = (name: string): string => process.argv[process.argv.indexOf(name) + 1] ?? "";
const chat = process.argv.includes("--resume") ? option("--resume") : "chat-1";
const say = (event: Readonly<Record<string, unknown>>): void => {
  // It says everything twice.
  for (const stream of [process.stdout, process.stderr]) {
    stream.write(`${JSON.stringify({ ...event, session_id: chat })}\n`);
  }
};

async function connect(): Promise<Client> {
  const plugin = option("--plugin-dir");
  readFileSync(join(plugin, ".cursor-plugin/plugin.json"));
  const { mcpServers } = JSON.parse(readFileSync(join(plugin, "mcp.json"), "utf8")) as {
    readonly mcpServers: Readonly<Record<string, { readonly url: string; readonly headers: Record<string, string> }>>;
  };
  const server = mcpServers["agent-worker"];
  if (server === undefined || !process.argv.includes("--approve-mcps")) throw new Error("no server of the team");
  const client = new Client({ name: "stand-in", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } }),
  );
  return client;
}

async function leave(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write("", done));
  process.exit(code);
}

function take(): EngineMove | undefined {
  const [move, ...rest] = JSON.parse(readFileSync(file, "utf8")) as EngineMove[];
  writeFileSync(file, JSON.stringify(rest));
  return move;
}

const prompt = await text(process.stdin);
if (prompt === "") throw new Error("no prompt");
writeFileSync(`${file}.prompt`, prompt);
say({ type: "system", subtype: "init", apiKeySource: "login", model: "Auto", permissionMode: "default" });
say({ type: "user", message: { role: "user", content: [{ type: "text", text: prompt }] } });
let client: Client | undefined;
for (let number = 1; ; number += 1) {
  const move = take();
  if (move === undefined) throw new Error("the script is over");
  if ("hang" in move) await new Promise(() => setInterval(() => {}, 60_000));
  else if ("call" in move) {
    client ??= await connect();
    const call_id = `tool_${number}`;
    const { tool, args } = move.call;
    const call = { name: `agent-worker-${tool}`, args, toolCallId: call_id, toolName: tool };
    say({ type: "tool_call", subtype: "started", call_id, tool_call: { mcpToolCall: { args: call } } });
    const { content, isError } = await client.callTool({ name: tool, arguments: { ...args } });
    const [first] = content;
    const said = first?.type === "text" ? first.text : "";
    const result = isError === true ? { error: said } : { success: said };
    say({ type: "tool_call", subtype: "completed", call_id, tool_call: { mcpToolCall: { args: call, result } } });
  } else if ("fail" in move) {
    say({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text: move.fail.after }] } });
    process.stderr.write("Error: the service is unavailable\n");
    await leave(1);
  } else {
    say({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text: move.say }] } });
    say({ type: "result", subtype: "success", is_error: false, duration_ms: 5, result: `Before that. ${move.say}` });
    await leave(0);
  }
}
