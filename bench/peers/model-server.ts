import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { MIXED_CALLS } from "../support/mixed-calls.ts";
import { HOPS, LOOK, PARTNERS } from "./setup.ts";

/**
 * A child of main: a model on loopback that speaks OpenAI's chat completions, streamed or not, at `/PEER/v1`. It notes
 * for each peer how many calls of each step came and how large the requests were: `GET /PEER/notes`.
 */
export interface Notes {
  /** Calls by the number of the step that they are. */
  calls: Record<number, number>;
  firstBytes: number;
  lastBytes: number;
  lastRequest: string;
  held: number;
  finished: number;
}

interface ChatRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}
type Reply = { readonly text: string } | { readonly tool: string; readonly args?: object };

const WORDS_A_SECOND = 60;

const all = new Map<string, Notes>();
const holding = new Map<string, (() => void)[]>();
const fresh = (): Notes => ({ calls: {}, firstBytes: 0, lastBytes: 0, lastRequest: "", held: 0, finished: 0 });
let replies = 0;

async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, peer = "", ...rest] = (incoming.url ?? "").split("/");
  const notes = all.get(peer) ?? fresh();
  all.set(peer, notes);
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  switch (rest.join("/")) {
    case "notes":
      return void response.end(JSON.stringify(notes));
    case "reset":
      all.set(peer, fresh());
      return void response.end("{}");
    case "release":
      for (const release of holding.get(peer) ?? []) release();
      holding.delete(peer);
      return void response.end("{}");
    case "v1/chat/completions":
      return await complete(peer, notes, body, response);
    default:
      response.writeHead(404).end(`{"error":{"message":"no route ${incoming.url}"}}`);
  }
}

async function complete(peer: string, notes: Notes, body: Buffer, response: ServerResponse): Promise<void> {
  const request = JSON.parse(body.toString("utf8")) as ChatRequest;
  const step = request.messages.filter(({ role }) => role === "tool").length + 1;
  notes.calls[step] = (notes.calls[step] ?? 0) + 1;
  if (notes.firstBytes === 0) notes.firstBytes = body.length;
  [notes.lastBytes, notes.lastRequest] = [body.length, body.toString("utf8")];
  const setting = (name: string): number => Number(new RegExp(`${name}-(\\d+)`).exec(request.model)?.[1] ?? 0);
  if (setting("think") > 0) await pause(setting("think"));
  if (step === setting("hold") && notes.held === 0) {
    notes.held += 1;
    await new Promise<void>((release) => holding.set(peer, [...(holding.get(peer) ?? []), release]));
  }
  if (response.destroyed) return;
  const reply = replyTo(request, step, setting("steps"));
  if ("text" in reply) notes.finished += 1;
  await send(response, request, reply, setting("words"));
}

function replyTo(request: ChatRequest, step: number, steps: number): Reply {
  if (request.model.startsWith("hops")) return hop(request, step);
  if (request.model.startsWith("mixed")) return MIXED_CALLS[step - 1] ?? { text: "Done." };
  return step < steps ? { tool: LOOK.name } : { text: "Done." };
}

/** A tool that hands over is called; without one, the text names the partner and the number of the hop. */
function hop(request: ChatRequest, step: number): Reply {
  const tool = request.tools?.find(({ function: { name } }) => name.startsWith("transfer_to_"));
  if (tool !== undefined) return step < HOPS ? { tool: tool.function.name } : { text: "Done." };
  const [, digits = "0"] = [...JSON.stringify(request.messages).matchAll(/hop (\d+)/g)].at(-1) ?? [];
  const number = Number(digits) + 1;
  return { text: number < HOPS ? `@${PARTNERS[number % 2]} hop ${number} is done, go on` : "Done." };
}

/** With words before it, the reply comes at the speed of a real model. */
async function send(
  response: ServerResponse,
  { model, stream }: ChatRequest,
  reply: Reply,
  words: number,
): Promise<void> {
  const id = `reply_${(replies += 1)}`;
  const calls =
    "tool" in reply
      ? [
          {
            index: 0,
            id: `call_${replies}`,
            type: "function",
            function: { name: reply.tool, arguments: JSON.stringify(reply.args ?? {}) },
          },
        ]
      : undefined;
  const content = "text" in reply ? reply.text : null;
  const finish_reason = calls === undefined ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  if (stream !== true) {
    const message = { role: "assistant", content, ...(calls === undefined ? {} : { tool_calls: calls }) };
    const choices = [{ index: 0, message, finish_reason }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ id, object: "chat.completion", created: 1, model, choices, usage }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const write = (choices: readonly unknown[], more: object = {}): void =>
    void response.write(
      `data: ${JSON.stringify({ id, object: "chat.completion.chunk", created: 1, model, choices, ...more })}\n\n`,
    );
  write([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
  const started = performance.now();
  for (let i = 1; i <= words; i += 1) {
    // By the clock and not by the sum of its waits: a late timer must not make the model slower.
    await pause(Math.max(0, started + (i * 1_000) / WORDS_A_SECOND - performance.now()));
    write([{ index: 0, delta: { content: ` word${i}` }, finish_reason: null }]);
  }
  const delta = calls === undefined ? { content } : { tool_calls: calls };
  write([{ index: 0, delta, finish_reason: null }]);
  write([{ index: 0, delta: {}, finish_reason }]);
  write([], { usage });
  response.end("data: [DONE]\n\n");
}

const server = createServer((incoming, response) => {
  handle(incoming, response).catch((error: unknown) => {
    process.stderr.write(`model server: ${String(error)}\n`);
    response.destroy();
  });
});
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", 4_096, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on("SIGTERM", () => process.exit());
