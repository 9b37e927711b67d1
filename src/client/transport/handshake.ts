import { CHALLENGE_HEADER, clientProofText, PROOF_HEADER, VERSION_HEADER } from "../../contract/service/headers.ts";
import { BrokenConnection, MalformedResponse } from "./byte-source.ts";
import { readText, type Connection } from "./connection.ts";
import { hmacSha256 } from "../../contract/service/hmac-sha256.ts";

/** A connection that sends the token with every request. */
export interface AuthenticatedConnection extends Connection {
  readonly daemon: DaemonGreeting;
}

/** What a daemon sends in the handshake; empty texts without a handshake. */
export interface DaemonGreeting {
  readonly version: string;
  readonly status: string;
}

/** The peer is not the daemon that the token belongs to. */
export class WrongPeer extends Error {}

/** The peer has too many connections and asks to try again. Nothing proves that it is the daemon. */
export class TurnedAway extends BrokenConnection {}

const MAX_GREETING_BYTES = 64 * 1024;

/**
 * Verifies that the peer knows the token before the token is sent: the peer must respond to a nonce with the
 * HMAC-SHA-256 of it under the token. Another program gets only the nonce and a proof that is good for nothing else.
 * Throws WrongPeer.
 */
export async function authenticate(
  connection: Connection,
  token: string,
  timeoutMs: number,
): Promise<AuthenticatedConnection> {
  const nonce = freshNonce();
  try {
    const headers = { [CHALLENGE_HEADER]: nonce, [PROOF_HEADER]: hmacSha256(token, clientProofText(nonce)) };
    const responding = connection.request({ method: "GET", path: "/health", headers, timeoutMs });
    // Computed while the daemon does the same.
    const expected = hmacSha256(token, nonce);
    const response = await responding;
    const text = await readText(response, MAX_GREETING_BYTES);
    if (!timingSafeEqual(response.headers.get(PROOF_HEADER) ?? "", expected)) {
      if (response.status === 503) throw new TurnedAway("it has too many connections");
      throw new WrongPeer("another program answers there");
    }
    return withToken(connection, token, {
      version: response.headers.get(VERSION_HEADER) ?? "",
      status: statusIn(text),
    });
  } catch (error) {
    if (error instanceof MalformedResponse) throw new WrongPeer("another program answers there", { cause: error });
    throw error;
  }
}

/** Sends the token without a handshake, unless `authenticate` made one: for an address that the user vouches for. */
export function withToken(
  connection: Connection,
  token: string,
  daemon: DaemonGreeting = { version: "", status: "" },
): AuthenticatedConnection {
  return {
    daemon,
    request: (request) =>
      connection.request({ ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } }),
    get usable() {
      return connection.usable;
    },
    release: () => connection.release(),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

/** The time it takes does not reveal how much of a wrong text is right. @internal */
export function timingSafeEqual(a: string, b: string): boolean {
  let differs = a.length ^ b.length;
  for (let index = 0; index < a.length; index += 1) differs |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return differs === 0;
}

/** Random, so that a response recorded earlier is worthless. @internal */
export function freshNonce(): string {
  const bytes = Buffer.alloc(16);
  const { closeSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  try {
    const source = openSync("/dev/urandom", "r");
    try {
      if (readSync(source, bytes) === bytes.length) return bytes.toString("hex");
    } finally {
      closeSync(source);
    }
  } catch {
    // Not every system has it.
  }
  return process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex");
}

function statusIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "status" in value ? String(value.status) : "";
  } catch {
    return "";
  }
}
