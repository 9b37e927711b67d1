import { readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Move } from "./engine-conformance.ts";

/**
 * Speaks as `claude -p --output-format stream-json` does, with a model that follows a script. The script is in the file
 * that STAND_IN names, and what was played is taken out of it, so that the next start goes on where this one stopped.
 */
const file = process.env.STAND_IN ?? "";
const option = (name: string): string => process.argv[process.argv.indexOf(name) + 1] ?? "";
const say = (event: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${JSON.stringify({ ...event, session_id: "stand-in-session" })}\n`);
};
const message = (type: "assistant" | "user", content: unknown): void =>
  say({ type, parent_tool_use_id: null, message: { role: type, content: [content] } });
const delta = (part: string): void =>
  say({ type: "stream_event", event: { type: "content_block_delta", delta: { type: "text_delta", text: part } } });

async function connect(): Promise<Client> {
  const { mcpServers } = JSON.parse(readFileSync(option("--mcp-config"), "utf8")) as {
    readonly mcpServers: Readonly<Record<string, { readonly url: string; readonly headers: Record<string, string> }>>;
  };
  const server = mcpServers["agent-worker"];
  if (server === undefined) throw new Error("no server of the team");
  const client = new Client({ name: "stand-in", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } }),
  );
  return client;
}

function take(): Move | undefined {
  const [move, ...rest] = JSON.parse(readFileSync(file, "utf8")) as Move[];
  writeFileSync(file, JSON.stringify(rest));
  return move;
}

say({ type: "system", subtype: "init", tools: [], mcp_servers: [] });
const prompt = await text(process.stdin);
if (prompt === "" || readFileSync(option("--append-system-prompt-file"), "utf8") === "") throw new Error("no prompt");
let client: Client | undefined;
for (let number = 1; ; number += 1) {
  const move = take();
  if (move === undefined) throw new Error("the script is over");
  if ("hang" in move) await new Promise(() => setInterval(() => {}, 60_000));
  else if ("call" in move) {
    client ??= await connect();
    const id = `toolu_${number}`;
    const { tool, args } = move.call;
    message("assistant", { type: "tool_use", id, name: `mcp__agent-worker__${tool}`, input: args });
    const result = await client.callTool({ name: tool, arguments: { ...args } });
    message("user", { type: "tool_result", tool_use_id: id, content: result.content, is_error: result.isError });
  } else if ("fail" in move) {
    delta(move.fail.after);
    say({ type: "result", subtype: "success", is_error: true, result: "API Error: 500", api_error_status: 500 });
    process.exit(0);
  } else {
    for (const part of move.say.match(/.{1,7}/gs) ?? []) delta(part);
    message("assistant", { type: "text", text: move.say });
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
    say({ type: "result", subtype: "success", is_error: false, result: move.say, usage, total_cost_usd: 0.001 });
    process.exit(0);
  }
}
