import { BrokenConnection, MalformedResponse, type ByteSource } from "./byte-source.ts";

/**
 * Parses HTTP/1.1 responses, strictly: what our own server would not send is an error. Written by hand because every
 * short command would pay for loading `node:http` (see README.md).
 */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; the values of a repeated name are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** The connection can be used again after the body is read. */
  readonly keepAlive: boolean;
}

const MAX_LINE_BYTES = 16 * 1024;
const MAX_HEADERS = 100;
const MAX_INTERIM = 8;
const PIECE_BYTES = 64 * 1024;

export async function readHead(source: ByteSource): Promise<ResponseHead> {
  for (let interim = 0; interim <= MAX_INTERIM; interim += 1) {
    const line = await source.line(MAX_LINE_BYTES);
    const [, status] = /^HTTP\/1\.1 ([1-5]\d\d)(?: [\t -~\u0080-\u00ff]*)?$/.exec(line) ?? [];
    if (status === undefined) throw new MalformedResponse("the answer is not HTTP/1.1");
    const headers = await readHeaders(source);
    if (status.startsWith("1")) continue;
    const keepAlive =
      (headers.get("connection") ?? "").toLowerCase() !== "close" && lengthOf(headers) !== "until the end";
    return { status: Number(status), headers, keepAlive };
  }
  throw new MalformedResponse("the answer never begins");
}

/** The body in pieces, as they arrive. Throws when the connection ends before the body. */
export async function* readBody(source: ByteSource, head: ResponseHead): AsyncGenerator<Buffer, void> {
  if (head.status === 204 || head.status === 304) return;
  const length = lengthOf(head.headers);
  if (length === "chunked") yield* readChunks(source);
  else if (length === "until the end") yield* readToEnd(source);
  else yield* readExactly(source, length);
}

async function readHeaders(source: ByteSource): Promise<Map<string, string>> {
  const headers = new Map<string, string>();
  for (let count = 0; count <= MAX_HEADERS; count += 1) {
    const line = await source.line(MAX_LINE_BYTES);
    if (line === "") return headers;
    const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~\u0080-\u00ff]*?)[ \t]*$/.exec(line) ?? [];
    if (name === "") throw new MalformedResponse("a header of the answer is malformed");
    const key = name.toLowerCase();
    const before = headers.get(key);
    headers.set(key, before === undefined ? value : `${before}, ${value}`);
  }
  throw new MalformedResponse("the answer has too many headers");
}

function lengthOf(headers: ReadonlyMap<string, string>): number | "chunked" | "until the end" {
  const encoding = headers.get("transfer-encoding");
  const length = headers.get("content-length");
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== "chunked" || length !== undefined) {
      throw new MalformedResponse("the answer does not say clearly how long it is");
    }
    return "chunked";
  }
  if (length === undefined) return "until the end";
  if (!/^\d{1,15}$/.test(length)) throw new MalformedResponse("the answer has a malformed length");
  return Number(length);
}

async function* readChunks(source: ByteSource): AsyncGenerator<Buffer, void> {
  while (true) {
    const [, size] = /^([0-9a-fA-F]{1,8})(?:[ \t]*;.*)?$/.exec(await source.line(MAX_LINE_BYTES)) ?? [];
    if (size === undefined) throw new MalformedResponse("a chunk of the answer is malformed");
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    yield* readExactly(source, length);
    if ((await source.line(MAX_LINE_BYTES)) !== "") throw new MalformedResponse("a chunk of the answer is too long");
  }
  await readHeaders(source);
}

async function* readExactly(source: ByteSource, length: number): AsyncGenerator<Buffer, void> {
  for (let left = length; left > 0;) {
    const bytes = await source.some(Math.min(left, PIECE_BYTES));
    if (bytes === undefined) throw new BrokenConnection("the connection ended in the middle of the answer");
    left -= bytes.length;
    yield bytes;
  }
}

async function* readToEnd(source: ByteSource): AsyncGenerator<Buffer, void> {
  for (let bytes = await source.some(PIECE_BYTES); bytes !== undefined; bytes = await source.some(PIECE_BYTES))
    yield bytes;
}
