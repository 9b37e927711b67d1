import type { Socket } from "node:net";
import { CHALLENGE_HEADER, PROOF_HEADER, VERSION_HEADER } from "../../contract/service/headers.ts";
import { BrokenConnection, MalformedAnswer, readFrom, type ByteSource } from "./byte-source.ts";
import { readBody, readHead } from "./http-response.ts";
import { freshNonce, hmacSha256, timingSafeEqual } from "./handshake.ts";

/** One connection to a daemon: a request, its answer, the next request. */
export interface Connection extends Disposable {
  ask(request: WireRequest): Promise<WireAnswer>;
  /** False once it was closed, by whomever. */
  readonly usable: boolean;
  /** Lets the process end while the connection is open and nothing is asked. */
  rest(): void;
}

export interface WireRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the connection, whatever it is doing. */
  readonly signal?: AbortSignal;
  /** How long nothing may come; without it, for ever. */
  readonly timeoutMs?: number;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Read it whole, or leave it: then the connection ends. */
  readonly body: AsyncIterable<Buffer>;
}

export interface Peer {
  readonly host: string;
  readonly port: number;
}

/** The peer is not the daemon whose token we hold. */
export class NotTheDaemon extends Error {}

/** Rejects with the system's error when nobody is there. */
export async function connectTo(peer: Peer, timeoutMs: number): Promise<Connection> {
  const { connect } = process.getBuiltinModule("node:net");
  const socket = connect({ host: peer.host, port: peer.port, noDelay: true });
  const source = readFrom(socket);
  const late = (): void => void socket.destroy(new BrokenConnection("nobody answers there"));
  socket.setTimeout(timeoutMs, late);
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.off("timeout", late).setTimeout(0);
  const host = peer.host.includes(":") ? `[${peer.host}]` : peer.host;
  return {
    ask: (request) => ask(socket, source, `${host}:${peer.port}`, request),
    get usable() {
      return !socket.destroyed && socket.writable && !socket.readableEnded;
    },
    rest: () => void socket.unref(),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** What a daemon tells about itself to those who have no token yet. */
export interface Greeting {
  readonly version: string;
  readonly status: string;
}

/**
 * Makes the peer prove that it knows the token. Until then nothing was sent that a stranger could use: a nonce is all it
 * got, and what it answers must be the HMAC of that nonce.
 */
export async function challenge(connection: Connection, token: string, timeoutMs: number): Promise<Greeting> {
  const nonce = freshNonce();
  const headers = { [CHALLENGE_HEADER]: nonce };
  try {
    const asked = connection.ask({ method: "GET", path: "/health", headers, timeoutMs });
    // Worked out while the daemon does the same.
    const expected = hmacSha256(token, nonce);
    const answer = await asked;
    const text = await readText(answer, LONGEST_GREETING);
    if (!timingSafeEqual(answer.headers.get(PROOF_HEADER) ?? "", expected)) {
      throw new NotTheDaemon("another program answers there");
    }
    return { version: answer.headers.get(VERSION_HEADER) ?? "", status: statusIn(text) };
  } catch (error) {
    if (error instanceof MalformedAnswer) throw new NotTheDaemon("another program answers there", { cause: error });
    throw error;
  }
}

const LONGEST_GREETING = 64 * 1024;

/** Whole, up to a limit that protects this process. */
export async function readText(answer: WireAnswer, limit = Infinity): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer.body) {
    length += piece.length;
    if (length > limit) throw new MalformedAnswer("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

async function ask(socket: Socket, source: ByteSource, host: string, request: WireRequest): Promise<WireAnswer> {
  const { signal, timeoutMs = 0 } = request;
  const giveUp = (): void => void socket.destroy();
  if (signal?.aborted === true) giveUp();
  signal?.throwIfAborted();
  const late = (): void => {
    socket.destroy(new BrokenConnection(`nothing came for ${Math.ceil(timeoutMs / 1000)} seconds`));
  };
  signal?.addEventListener("abort", giveUp, { once: true });
  socket.ref().setTimeout(timeoutMs, late);
  const settle = (): void => {
    signal?.removeEventListener("abort", giveUp);
    socket.off("timeout", late).setTimeout(0);
  };
  try {
    socket.write(requestText(host, request));
    const head = await readHead(source);
    const end = (whole: boolean): void => {
      settle();
      if (!whole || !head.keepAlive) giveUp();
    };
    return { status: head.status, headers: head.headers, body: untilRead(readBody(source, head), end) };
  } catch (error) {
    settle();
    giveUp();
    signal?.throwIfAborted();
    throw error;
  }
}

/** A body that was left half-read would be taken for the next answer. */
async function* untilRead(body: AsyncIterable<Buffer>, end: (whole: boolean) => void): AsyncGenerator<Buffer> {
  let whole = false;
  try {
    yield* body;
    whole = true;
  } finally {
    end(whole);
  }
}

function requestText(host: string, { method, path, headers = {}, body }: WireRequest): string {
  const all: Record<string, string> = { host, ...headers };
  if (body !== undefined) {
    all["content-type"] = "application/json";
    all["content-length"] = String(Buffer.byteLength(body));
  }
  const head = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  if (!head.every(isPlain)) throw new TypeError("a header of a request must be plain ASCII");
  return `${head.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Without a regular expression: making the first one of a program costs as much as all the rest of a request. */
function isPlain(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

function statusIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "status" in value ? String(value.status) : "";
  } catch {
    return "";
  }
}
