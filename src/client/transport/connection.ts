import type { Socket } from "node:net";
import { BrokenConnection, MalformedResponse, readFrom, type ByteSource } from "./byte-source.ts";
import { readBody, readHead } from "./http-response.ts";

/** One connection to a daemon, for one request at a time. */
export interface Connection extends Disposable {
  request(request: WireRequest): Promise<WireResponse>;
  /** False once either side has closed it. */
  readonly usable: boolean;
  /** Lets the process end while the connection is open and no request is running. */
  release(): void;
}

export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Closes the connection. */
  readonly signal?: AbortSignal;
  /** The longest time without a byte from the daemon; 0 or absent: no limit. */
  readonly timeoutMs?: number;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Closes the connection unless it is read to its end. */
  readonly body: AsyncIterable<Buffer>;
}

export interface Peer {
  readonly host: string;
  readonly port: number;
}

/** Rejects with the error of the system when the peer does not listen. */
export async function connectTo(peer: Peer, timeoutMs: number): Promise<Connection> {
  const { connect } = process.getBuiltinModule("node:net");
  const socket = connect({ host: peer.host, port: peer.port, noDelay: true });
  const source = readFrom(socket);
  const onTimeout = (): void => void socket.destroy(new BrokenConnection("nobody answers there"));
  socket.setTimeout(timeoutMs, onTimeout);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.off("timeout", onTimeout).setTimeout(0);
  const host = peer.host.includes(":") ? `[${peer.host}]` : peer.host;
  return {
    request: (request) => send(socket, source, `${host}:${peer.port}`, request),
    get usable() {
      return !socket.destroyed && socket.writable && !socket.readableEnded;
    },
    release: () => void socket.unref(),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Returns the whole body. Throws past `limit` bytes. */
export async function readText(response: WireResponse, limit = Infinity): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response.body) {
    length += piece.length;
    if (length > limit) throw new MalformedResponse("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

async function send(socket: Socket, source: ByteSource, host: string, request: WireRequest): Promise<WireResponse> {
  const { signal, timeoutMs = 0 } = request;
  const close = (): void => void socket.destroy();
  if (signal?.aborted === true) close();
  signal?.throwIfAborted();
  const onTimeout = (): void => {
    socket.destroy(new BrokenConnection(`nothing came for ${Math.ceil(timeoutMs / 1000)} seconds`));
  };
  signal?.addEventListener("abort", close, { once: true });
  socket.ref().setTimeout(timeoutMs, onTimeout);
  const stopWatching = (): void => {
    signal?.removeEventListener("abort", close);
    socket.off("timeout", onTimeout).setTimeout(0);
  };
  try {
    socket.write(requestText(host, request));
    const head = await readHead(source);
    const onEnd = (complete: boolean): void => {
      stopWatching();
      if (!complete || !head.keepAlive) close();
    };
    return { status: head.status, headers: head.headers, body: thenCall(onEnd, readBody(source, head)) };
  } catch (error) {
    stopWatching();
    close();
    signal?.throwIfAborted();
    throw error;
  }
}

/** After a partly read body the connection must be closed: the rest would be read as the next response. */
async function* thenCall(onEnd: (complete: boolean) => void, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let complete = false;
  try {
    yield* body;
    complete = true;
  } finally {
    onEnd(complete);
  }
}

function requestText(host: string, { method, path, headers = {}, body }: WireRequest): string {
  const all: Record<string, string> = { host, ...headers };
  if (body !== undefined) {
    all["content-type"] = "application/json";
    all["content-length"] = String(Buffer.byteLength(body));
  }
  const head = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  if (!head.every((line) => /^[ -~]*$/.test(line))) throw new TypeError("a header of a request must be plain ASCII");
  return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
