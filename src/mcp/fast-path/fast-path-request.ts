import type { IncomingHttpHeaders } from "node:http";
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  isJsonContentType,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";

/**
 * A request in the plainest form there is, which nearly all are: one call of a tool, or the list of them, of either era
 * of the protocol. Everything else, and everything that is wrong with a request, is left to the official library: what
 * is read here it would have read the same way.
 */
export interface FastPathRequest {
  readonly id: string | number;
  readonly era: "2025" | "2026";
  readonly ask:
    | { readonly method: "tools/list" }
    | { readonly method: "tools/call"; readonly name: string; readonly args: Readonly<Record<string, unknown>> };
}

const MODERN = "2026-07-28";
const EARLIER: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < MODERN));

export function readFastPathRequest(headers: IncomingHttpHeaders, body: Buffer): FastPathRequest | undefined {
  const { accept = "" } = headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return undefined;
  if (!isJsonContentType(headers["content-type"] ?? null)) return undefined;
  const message = parse(body);
  if (!isRecord(message) || !hasOnly(message, MESSAGE_KEYS)) return undefined;
  const { jsonrpc, id, method, params = {} } = message;
  if (jsonrpc !== "2.0" || (typeof id !== "string" && !Number.isSafeInteger(id)) || !isRecord(params)) return undefined;
  const ask = readAsk(method, params);
  if (ask === undefined) return undefined;
  const era = readEra(headers, message, params["_meta"], ask);
  return era === undefined ? undefined : { id: typeof id === "string" ? id : Number(id), era, ask };
}

function readAsk(method: unknown, params: Readonly<Record<string, unknown>>): FastPathRequest["ask"] | undefined {
  if (method === "tools/list") return hasOnly(params, LIST_KEYS) ? { method } : undefined;
  if (method !== "tools/call" || !hasOnly(params, CALL_KEYS)) return undefined;
  const { name, arguments: args = {} } = params;
  return typeof name === "string" && isRecord(args) ? { method, name, args } : undefined;
}

function readEra(
  headers: IncomingHttpHeaders,
  message: object,
  meta: unknown,
  ask: FastPathRequest["ask"],
): FastPathRequest["era"] | undefined {
  const version = headers["mcp-protocol-version"];
  if (meta === undefined || (isRecord(meta) && hasOnly(meta, EARLIER_META_KEYS) && hasSoundToken(meta))) {
    return version === undefined || (typeof version === "string" && EARLIER.has(version)) ? "2025" : undefined;
  }
  if (!isRecord(meta) || !hasOnly(meta, MODERN_META_KEYS) || !hasSoundToken(meta)) return undefined;
  if (version !== MODERN || meta[PROTOCOL_VERSION_META_KEY] !== MODERN) return undefined;
  if (headers["mcp-method"] !== ask.method) return undefined;
  const named = ask.method === "tools/call" ? ask.name : undefined;
  if (headers["mcp-name"] !== named || named?.startsWith("=?") === true) return undefined;
  return isKnownEnvelope(message, meta) ? "2026" : undefined;
}

/** Clients say who they are with every request, in the same words: they are checked once, by the library. */
const knownEnvelopes = new Set<string>();
const MOST_KNOWN = 100;
const LONGEST_KNOWN = 10_000;

function isKnownEnvelope(body: object, meta: Readonly<Record<string, unknown>>): boolean {
  const words = JSON.stringify([meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY]]);
  if (knownEnvelopes.has(words)) return true;
  if (classifyInboundRequest({ httpMethod: "POST", body }).kind !== "modern") return false;
  if (knownEnvelopes.size < MOST_KNOWN && words.length <= LONGEST_KNOWN) knownEnvelopes.add(words);
  return true;
}

const MESSAGE_KEYS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const LIST_KEYS: ReadonlySet<string> = new Set(["_meta"]);
const CALL_KEYS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const EARLIER_META_KEYS: ReadonlySet<string> = new Set(["progressToken"]);
const MODERN_META_KEYS: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  "progressToken",
]);

function hasOnly(value: object, keys: ReadonlySet<string>): boolean {
  return Object.keys(value).every((key) => keys.has(key));
}

function hasSoundToken({ progressToken }: Readonly<Record<string, unknown>>): boolean {
  return progressToken === undefined || typeof progressToken === "string" || Number.isSafeInteger(progressToken);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
