/** The little of MCP that a bridge has to understand: which message it has before it, and what its headers must say. */
export interface McpMessage {
  readonly jsonrpc: "2.0";
  /** Absent in a notification. */
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

const VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Undefined for what is no message at all. */
export function parseMcpMessage(line: string): McpMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `negotiated` is what the handshake of a 2025 client ended with; a 2026 client says its version in every message. */
export function mcpHeaders({ method, params }: McpMessage, negotiated: string | undefined): Record<string, string> {
  const { _meta: meta } = params ?? {};
  const claimed = isRecord(meta) ? meta[VERSION_META_KEY] : undefined;
  if (typeof claimed !== "string") return negotiated === undefined ? {} : { "mcp-protocol-version": negotiated };
  const name = params?.[NAMED_BY[method ?? ""] ?? ""];
  return {
    "mcp-protocol-version": claimed,
    ...(method === undefined ? {} : { "mcp-method": headerText(method) }),
    ...(typeof name === "string" ? { "mcp-name": headerText(name) } : {}),
  };
}

/** What a header cannot carry as it is travels in the form the protocol has for it. */
function headerText(text: string): string {
  const plain = /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith("=?");
  return plain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

function isMessage(value: unknown): value is McpMessage {
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, params = {} } = value;
  return (id === undefined || typeof id === "string" || typeof id === "number") && isRecord(params);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
