/** The part of MCP that the bridge has to understand: the kind of a message, and its HTTP headers. */
export interface McpMessage {
  readonly jsonrpc: "2.0";
  /** Absent in a notification. */
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

const VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";
const NAME_PARAMS: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Returns undefined for text that is not a message. */
export function parseMcpMessage(line: string): McpMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `negotiated` is the protocol version of a 2025 client; a 2026 client sends its version in every message. */
export function mcpHeaders({ method, params }: McpMessage, negotiated: string | undefined): Record<string, string> {
  const { _meta: meta } = params ?? {};
  const version = isRecord(meta) ? meta[VERSION_META_KEY] : undefined;
  if (typeof version !== "string") return negotiated === undefined ? {} : { "mcp-protocol-version": negotiated };
  const name = params?.[NAME_PARAMS[method ?? ""] ?? ""];
  return {
    "mcp-protocol-version": version,
    ...(method === undefined ? {} : { "mcp-method": headerText(method) }),
    ...(typeof name === "string" ? { "mcp-name": headerText(name) } : {}),
  };
}

/** Encodes text that a header cannot contain, as the protocol specifies. */
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
