import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { EngineMove } from "../../../src/testing/engine-conformance.ts";

/**
 * Speaks as `claude -p --output-format stream-json` does, with a model that follows a script. The script is in the file
 * that STAND_IN names, and what was played is taken out of it, so that the next start goes on where this one stopped.
 * What it was asked and what it did is appended to a file beside it.
 */
export type ClaudeMove =
  | EngineMove
  /** Uses a tool of its own, if it may. */
  | { readonly use: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> } };

export interface ClaudeDeed {
  readonly prompt?: string;
  readonly resumed?: string | null;
  readonly did?: unknown;
}

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

const record = (deed: ClaudeDeed): void => appendFileSync(`${file}.log`, `${JSON.stringify(deed)}\n`);

interface Answer {
  readonly behavior: "allow" | "deny";
  readonly updatedInput?: unknown;
  readonly message?: string;
  readonly interrupt?: boolean;
}

async function mayUse(tool: string, input: unknown, id: string): Promise<Answer> {
  const request = { subtype: "can_use_tool", tool_name: tool, input, tool_use_id: id };
  say({ type: "control_request", request_id: `request_${id}`, request });
  const answer = JSON.parse((await heard.next()).value ?? "") as {
    readonly type: string;
    readonly response: { readonly subtype: string; readonly request_id: string; readonly response: Answer };
  };
  if (answer.type !== "control_response" || answer.response.request_id !== `request_${id}`)
    throw new Error("no answer");
  return answer.response.response;
}

const USAGE = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

function take(): ClaudeMove | undefined {
  const [move, ...rest] = JSON.parse(readFileSync(file, "utf8")) as ClaudeMove[];
  writeFileSync(file, JSON.stringify(rest));
  return move;
}

say({ type: "system", subtype: "init", tools: [], mcp_servers: [] });
const heard = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = JSON.parse((await heard.next()).value ?? "{}") as { readonly message?: { readonly content?: string } };
const prompt = first.message?.content ?? "";
record({ prompt, resumed: process.argv.includes("--resume") ? option("--resume") : null });
if (prompt === "" || readFileSync(option("--append-system-prompt-file"), "utf8") === "") throw new Error("no prompt");
let client: Client | undefined;
for (let number = 1; ; number += 1) {
  const move = take();
  if (move === undefined) throw new Error("the script is over");
  if ("hang" in move) {
    record({ did: "hang" });
    await new Promise(() => setInterval(() => {}, 60_000));
  } else if ("call" in move) {
    client ??= await connect();
    const id = `toolu_${number}`;
    const { tool, args } = move.call;
    message("assistant", { type: "tool_use", id, name: `mcp__agent-worker__${tool}`, input: args });
    const result = await client.callTool({ name: tool, arguments: { ...args } });
    message("user", { type: "tool_result", tool_use_id: id, content: result.content, is_error: result.isError });
  } else if ("use" in move) {
    const id = `toolu_${number}`;
    const { tool, input } = move.use;
    message("assistant", { type: "tool_use", id, name: tool, input });
    const answer = await mayUse(tool, input, id);
    if (answer.behavior === "allow") record({ did: answer.updatedInput });
    const content = answer.behavior === "allow" ? "done" : (answer.message ?? "");
    message("user", { type: "tool_result", tool_use_id: id, content, is_error: answer.behavior === "deny" });
    if (answer.interrupt === true) {
      say({ type: "result", subtype: "error_during_execution", is_error: true, errors: ["interrupted"], usage: USAGE });
      // Like the program itself it ends when its input does.
      if ((await heard.next()).done !== true) throw new Error("more input");
      process.exit(1);
    }
  } else if ("fail" in move) {
    delta(move.fail.after);
    say({ type: "result", subtype: "success", is_error: true, result: "API Error: 500", api_error_status: 500 });
    await heard.next();
    process.exit(0);
  } else {
    for (const part of move.say.match(/.{1,7}/gs) ?? []) delta(part);
    message("assistant", { type: "text", text: move.say });
    say({ type: "result", subtype: "success", is_error: false, result: move.say, usage: USAGE, total_cost_usd: 0.001 });
    await heard.next();
    process.exit(0);
  }
}
