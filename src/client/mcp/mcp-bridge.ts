import type { Clock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { readText, type WireResponse } from "../transport/connection.ts";
import { readEvents } from "../transport/server-sent-events.ts";
import { toUnreachable } from "../unreachable.ts";
import { parseMcpMessage, type McpMessage } from "./mcp-message.ts";
import { createMcpSender, type McpSender, type SenderParts } from "./mcp-sender.ts";

/**
 * The stdio bridge: forwards MCP messages between a program that speaks MCP on its standard input and output, and the
 * daemon, which speaks it over HTTP. Every request gets a response, perhaps an error; no request is sent twice.
 */
export interface BridgeParts extends SenderParts {
  /** One message each. */
  readonly lines: AsyncIterable<string>;
  /** Gets one message without its line end. */
  write(message: string): void;
}

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;
/** A request that stays open until it is cancelled. */
const LISTEN = "subscriptions/listen";

/** Resolves when the lines have ended and every request has its response. */
export async function bridgeMcp(parts: BridgeParts): Promise<void> {
  const { lines, write, clock } = parts;
  const sender = createMcpSender(parts);
  const running = new Map<string | number, { readonly message: McpMessage; readonly stop: AbortController }>();
  const subscribed = new Set<string>();
  const closing = new AbortController();
  const forwarding = new Set<Promise<void>>();
  let listening: Promise<void> | undefined;

  const onResult = ({ method, params }: McpMessage, { result }: McpMessage): void => {
    if (typeof result !== "object" || result === null) return;
    if (method === "resources/subscribe") subscribed.add(String(params?.["uri"]));
    if (method === "resources/unsubscribe") subscribed.delete(String(params?.["uri"]));
    if (method !== "initialize" || !("protocolVersion" in result)) return;
    sender.negotiated = String(result.protocolVersion);
    listening ??= keepListening(sender, subscribed, write, clock, closing.signal);
  };

  const forward = async (message: McpMessage): Promise<void> => {
    const { id } = message;
    const stop = new AbortController();
    if (id !== undefined) running.set(id, { message, stop });
    let answered = id === undefined;
    try {
      using sent = await sender.post(message, stop.signal);
      for await (const text of messagesIn(sent.response)) {
        const received = parseMcpMessage(text);
        if (received === undefined) {
          if (!answered) write(failure(id, refusalIn(text)));
          answered = true;
          continue;
        }
        const isResult = received.method === undefined;
        if (isResult) onResult(message, received);
        answered ||= isResult;
        write(JSON.stringify(isResult && id !== undefined ? { ...received, id } : received));
      }
      if (!answered) write(failure(id, "The daemon ended the answer before it was complete."));
    } catch (error) {
      // A cancelled request gets no response.
      if (!answered && !stop.signal.aborted) write(failure(id, reasonOf(error)));
    } finally {
      if (id !== undefined) running.delete(id);
    }
  };

  for await (const line of lines) {
    if (line.trim() === "") continue;
    const message = parseMcpMessage(line);
    if (message === undefined) {
      write(failure(null, "This is no JSON-RPC message.", PARSE_ERROR));
    } else if (message.method === "notifications/cancelled") {
      running.get(message.params?.["requestId"] as string | number)?.stop.abort();
    } else {
      const forwarded: Promise<void> = forward(message).finally(() => forwarding.delete(forwarded));
      forwarding.add(forwarded);
    }
  }
  for (const { message, stop } of running.values()) if (message.method === LISTEN) stop.abort();
  await Promise.all(forwarding);
  closing.abort();
  await listening;
}

const RECONNECT_MS = 2_000;

/** Forwards notifications to a client of the 2025 protocol, and reconnects to the next daemon. */
async function keepListening(
  sender: McpSender,
  subscribed: ReadonlySet<string>,
  write: (message: string) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (let first = true; !signal.aborted; first = false) {
    try {
      using opened = await sender.listen(signal);
      const { status, body } = opened.response;
      if (status === 401 || status === 405) return;
      // A new daemon does not know the subscriptions.
      for (const uri of first ? [] : subscribed) await subscribe(sender, uri, signal);
      if (status === 200) for await (const { data } of readEvents(body)) write(data);
    } catch {
      // It is unreachable. The client can read what it missed later.
    }
    await clock.sleep(RECONNECT_MS, signal).catch(() => {});
  }
}

async function subscribe(sender: McpSender, uri: string, signal: AbortSignal): Promise<void> {
  const message = { jsonrpc: "2.0", id: "subscribe", method: "resources/subscribe", params: { uri } } as const;
  using sent = await sender.post(message, signal);
  await readText(sent.response);
}

async function* messagesIn(response: WireResponse): AsyncGenerator<string, void> {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    for await (const { data } of readEvents(response.body)) yield data;
    return;
  }
  const text = await readText(response);
  if (text !== "") yield text;
}

function failure(id: string | number | null | undefined, message: string, code = SERVER_ERROR): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } });
}

function reasonOf(error: unknown): string {
  const cause = toUnreachable(error);
  if (cause instanceof Fault) return cause.hint === undefined ? cause.message : `${cause.message} ${cause.hint}`;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns the text of a refusal by the HTTP adapter, which is not an MCP message. */
function refusalIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; hint?: string } };
    const refusal = [error?.message, error?.hint].filter((part) => part !== undefined).join(" ");
    return refusal === "" ? "The daemon refused the request." : refusal;
  } catch {
    return "The daemon answered something that cannot be read.";
  }
}
