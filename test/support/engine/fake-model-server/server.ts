import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./anthropic-messages.ts";
import { embeddingsOf } from "./embeddings.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { completeAnswer, type FakeReply, type FakeScript, type Protocol, type RecordedRequest } from "./script.ts";
import { sendStream } from "./stream.ts";
import { isRecord, type WireFormat } from "./wire.ts";

/**
 * A model provider on loopback that costs nothing and says what it is told to, in the protocols of Anthropic
 * (`/v1/messages`) and OpenAI (`/v1/chat/completions`, `/v1/responses`, `/v1/embeddings`). It records every request, so that a test can
 * see the system prompt, the tools and the messages as they really arrived.
 */
export interface FakeModelServer extends AsyncDisposable {
  /** Without `/v1`, which the SDKs want in their base URL and the command lines mostly do not. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Requests for vectors. They are answered by `embeddings.ts`, not by the script. */
  readonly embeddingRequests: readonly RecordedRequest[];
  /** Resolves once so many requests for an answer have arrived. */
  received(count: number): Promise<void>;
}

const FORMATS: Readonly<Record<Protocol, WireFormat>> = {
  "anthropic-messages": anthropicMessages,
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
};

const SCRIPT_EXHAUSTED: FakeReply = {
  status: 400,
  error: { type: "invalid_request_error", message: "The script of the fake model server has no reply left." },
};

/** On a free port, unless one is given. `models` are those it lists. */
export async function startFakeModelServer(
  script: FakeScript,
  port = 0,
  models: readonly string[] = [],
): Promise<FakeModelServer> {
  const requests: RecordedRequest[] = [];
  const embeddingRequests: RecordedRequest[] = [];
  const waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();

  const replyTo = async (request: RecordedRequest, number: number): Promise<FakeReply> =>
    typeof script === "function" ? await script(request) : (script[number - 1] ?? SCRIPT_EXHAUSTED);

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(incoming.url ?? "/", "http://fake").pathname;
    if (path.endsWith("/models") && incoming.method === "GET")
      return sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
    if (path.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: 10 });
    const request = recorded(incoming, path, await readBody(incoming));
    if (path.endsWith("/embeddings")) {
      embeddingRequests.push(request);
      return sendJson(response, 200, embeddingsOf(request.body));
    }
    if (request.protocol === undefined) return sendJson(response, 404, { error: { message: `No route ${path}.` } });
    const number = requests.push(request);
    for (const waiter of waiting) if (number >= waiter.count && waiting.delete(waiter)) waiter.resolve();
    await answer(response, request, request.protocol, await replyTo(request, number), number);
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: `fake model server: ${String(error)}` } });
    });
  });
  // A reset in the middle of a test is the test's business.
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    embeddingRequests,
    received: (count) =>
      requests.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.add({ count, resolve })),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  response: ServerResponse,
  request: RecordedRequest,
  protocol: Protocol,
  reply: FakeReply,
  number: number,
): Promise<void> {
  const format = FORMATS[protocol];
  if ("silence" in reply) return;
  if ("reset" in reply) {
    response.socket?.resetAndDestroy();
    return;
  }
  if ("status" in reply) {
    const error = reply.error ?? { type: "api_error", message: `Scripted failure ${reply.status}.` };
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(reply.body ?? JSON.stringify(format.errorBody(error)));
    return;
  }
  await reply.after;
  const body = isRecord(request.body) ? request.body : {};
  const complete = completeAnswer(reply, typeof body.model === "string" ? body.model : "fake", number);
  if (body.stream === true) await sendStream(response, reply, complete, format);
  else sendJson(response, 200, format.whole(complete));
}

function recorded(incoming: IncomingMessage, path: string, text: string): RecordedRequest {
  const body = parsed(text);
  const protocol = protocolOf(path);
  const reading =
    protocol !== undefined && isRecord(body) ? FORMATS[protocol].read(body) : { system: "", tools: [], messages: [] };
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: incoming.method ?? "",
    path,
    headers: Object.fromEntries(headers) as Record<string, string>,
    protocol,
    body,
    ...reading,
  };
}

function protocolOf(path: string): Protocol | undefined {
  if (path.endsWith("/messages")) return "anthropic-messages";
  if (path.endsWith("/chat/completions")) return "openai-chat";
  return path.endsWith("/responses") ? "openai-responses" : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
