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
 * A plain request of either era of the protocol: one tool call, or the list of tools. Every other request, and every
 * invalid one, is left to the official library, which would read these requests in the same way.
 */
export interface FastPathRequest {
  readonly id: string | number;
  readonly era: "2025" | "2026";
  readonly call:
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
  const call = readCall(method, params);
  if (call === undefined) return undefined;
  const era = readEra(headers, message, params["_meta"], call);
  return era === undefined ? undefined : { id: typeof id === "string" ? id : Number(id), era, call };
}

function readCall(method: unknown, params: Readonly<Record<string, unknown>>): FastPathRequest["call"] | undefined {
  if (method === "tools/list") return hasOnly(params, LIST_KEYS) ? { method } : undefined;
  if (method !== "tools/call" || !hasOnly(params, CALL_KEYS)) return undefined;
  const { name, arguments: args = {} } = params;
  return typeof name === "string" && isRecord(args) ? { method, name, args } : undefined;
}

function readEra(
  headers: IncomingHttpHeaders,
  message: object,
  meta: unknown,
  call: FastPathRequest["call"],
): FastPathRequest["era"] | undefined {
  const version = headers["mcp-protocol-version"];
  if (meta === undefined || (isRecord(meta) && hasOnly(meta, EARLIER_META_KEYS) && hasValidToken(meta))) {
    return version === undefined || (typeof version === "string" && EARLIER.has(version)) ? "2025" : undefined;
  }
  if (!isRecord(meta) || !hasOnly(meta, MODERN_META_KEYS) || !hasValidToken(meta)) return undefined;
  if (version !== MODERN || meta[PROTOCOL_VERSION_META_KEY] !== MODERN) return undefined;
  if (headers["mcp-method"] !== call.method) return undefined;
  const name = call.method === "tools/call" ? call.name : undefined;
  if (headers["mcp-name"] !== name || name?.startsWith("=?") === true) return undefined;
  return isValidEnvelope(message, meta) ? "2026" : undefined;
}

/** A client sends the same description of itself with every request: the library checks it once. */
const validEnvelopes = new Set<string>();
const MAX_ENVELOPES = 100;
const MAX_ENVELOPE_LENGTH = 10_000;

function isValidEnvelope(body: object, meta: Readonly<Record<string, unknown>>): boolean {
  const envelope = JSON.stringify([meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY]]);
  if (validEnvelopes.has(envelope)) return true;
  if (classifyInboundRequest({ httpMethod: "POST", body }).kind !== "modern") return false;
  if (validEnvelopes.size < MAX_ENVELOPES && envelope.length <= MAX_ENVELOPE_LENGTH) validEnvelopes.add(envelope);
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

function hasValidToken({ progressToken }: Readonly<Record<string, unknown>>): boolean {
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
