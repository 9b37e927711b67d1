import type { Clock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { readText, type WireAnswer } from "../transport/connection.ts";
import { parseMcpMessage, type McpMessage } from "./mcp-message.ts";
import { createMcpSender, type McpSender, type SenderParts } from "./mcp-sender.ts";
import { readEvents } from "../transport/server-sent-events.ts";
import { lostConnection } from "../unreachable.ts";

/**
 * Carries MCP between a program that speaks it line by line and the daemon, which speaks it over HTTP. Every request is
 * answered, if need be with an error that says what became of it; none is forgotten and none is sent twice.
 */
export interface BridgeParts extends SenderParts {
  /** One message each. */
  readonly lines: AsyncIterable<string>;
  /** Gets one message without its line end. */
  write(message: string): void;
}

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;
/** Answered only by what it is told until it is cancelled. */
const LASTING = "subscriptions/listen";

/** Ends when the lines end and everything asked before is answered. */
export async function bridgeMcp(parts: BridgeParts): Promise<void> {
  const { lines, write, clock } = parts;
  const sender = createMcpSender(parts);
  const underWay = new Map<string | number, { readonly message: McpMessage; readonly stop: AbortController }>();
  const subscribed = new Set<string>();
  const closing = new AbortController();
  const work = new Set<Promise<void>>();
  let listening: Promise<void> | undefined;

  const onAnswer = ({ method, params }: McpMessage, { result }: McpMessage): void => {
    if (typeof result !== "object" || result === null) return;
    if (method === "resources/subscribe") subscribed.add(String(params?.["uri"]));
    if (method === "resources/unsubscribe") subscribed.delete(String(params?.["uri"]));
    if (method !== "initialize" || !("protocolVersion" in result)) return;
    sender.negotiated = String(result.protocolVersion);
    listening ??= keepListening(sender, subscribed, write, clock, closing.signal);
  };

  const carry = async (message: McpMessage): Promise<void> => {
    const { id } = message;
    const stop = new AbortController();
    if (id !== undefined) underWay.set(id, { message, stop });
    let answered = id === undefined;
    try {
      using exchange = await sender.post(message, stop.signal);
      for await (const text of messagesIn(exchange.answer)) {
        const said = parseMcpMessage(text);
        if (said === undefined) {
          if (!answered) write(failure(id, refusalIn(text)));
          answered = true;
          continue;
        }
        const isAnswer = said.method === undefined;
        if (isAnswer) onAnswer(message, said);
        answered ||= isAnswer;
        write(JSON.stringify(isAnswer && id !== undefined ? { ...said, id } : said));
      }
      if (!answered) write(failure(id, "The daemon ended the answer before it was complete."));
    } catch (error) {
      // Whoever cancels a request waits for no answer to it.
      if (!answered && !stop.signal.aborted) write(failure(id, reasonOf(error)));
    } finally {
      if (id !== undefined) underWay.delete(id);
    }
  };

  for await (const line of lines) {
    if (line.trim() === "") continue;
    const message = parseMcpMessage(line);
    if (message === undefined) {
      write(failure(null, "This is no JSON-RPC message.", PARSE_ERROR));
    } else if (message.method === "notifications/cancelled") {
      underWay.get(message.params?.["requestId"] as string | number)?.stop.abort();
    } else {
      const carrying: Promise<void> = carry(message).finally(() => work.delete(carrying));
      work.add(carrying);
    }
  }
  for (const { message, stop } of underWay.values()) if (message.method === LASTING) stop.abort();
  await Promise.all(work);
  closing.abort();
  await listening;
}

const LISTEN_AGAIN_MS = 2_000;

/** A client of the 2025 protocol has shaken hands: from now on it can be told things, also by the next daemon. */
async function keepListening(
  sender: McpSender,
  subscribed: ReadonlySet<string>,
  write: (message: string) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (let first = true; !signal.aborted; first = false) {
    try {
      using exchange = await sender.listen(signal);
      const { status, body } = exchange.answer;
      if (status === 401 || status === 405) return;
      // A daemon that is new has not heard what was subscribed to before.
      for (const uri of first ? [] : subscribed) await subscribe(sender, uri, signal);
      if (status === 200) for await (const { data } of readEvents(body)) write(data);
    } catch {
      // It is away. What it would have told can be read when it is back.
    }
    await clock.sleep(LISTEN_AGAIN_MS, signal).catch(() => {});
  }
}

async function subscribe(sender: McpSender, uri: string, signal: AbortSignal): Promise<void> {
  const message = { jsonrpc: "2.0", id: "subscribe", method: "resources/subscribe", params: { uri } } as const;
  using exchange = await sender.post(message, signal);
  await readText(exchange.answer);
}

async function* messagesIn(answer: WireAnswer): AsyncGenerator<string, void> {
  if (answer.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    for await (const { data } of readEvents(answer.body)) yield data;
    return;
  }
  const text = await readText(answer);
  if (text !== "") yield text;
}

function failure(id: string | number | null | undefined, message: string, code = SERVER_ERROR): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code, message } });
}

function reasonOf(error: unknown): string {
  const told = lostConnection(error);
  if (told instanceof Fault) return told.hint === undefined ? told.message : `${told.message} ${told.hint}`;
  return told instanceof Error ? told.message : String(told);
}

/** The daemon refused before MCP came into it: in its own words. */
function refusalIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; hint?: string } };
    const said = [error?.message, error?.hint].filter((part) => part !== undefined).join(" ");
    return said === "" ? "The daemon refused the request." : said;
  } catch {
    return "The daemon answered something that cannot be read.";
  }
}
